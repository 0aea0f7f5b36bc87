// Puts the document on the page and tells the page which sentence's number was clicked.
export default function ({ data, parentElement, setTriggerValue }) {
  let root = parentElement.querySelector(".document")
  if (!root) {
    root = document.createElement("div")
    root.className = "document"
    parentElement.appendChild(root)
  }
  if (root.shown !== data.html) {
    root.shown = data.html
    root.innerHTML = data.html
    for (const sentence of root.querySelectorAll("[data-claim]")) {
      const n = data.counts[sentence.dataset.claim]
      if (!n) continue
      const button = document.createElement("button")
      button.type = "button"
      button.textContent = n
      button.title = data.says[n]
      button.setAttribute("aria-label", button.title)
      sentence.appendChild(button)
    }
    for (const link of root.querySelectorAll("a")) {
      link.target = "_blank"
      link.rel = "noopener noreferrer"
    }
    for (const wide of root.querySelectorAll(".wide")) wide.tabIndex = 0
  }
  root.onclick = (event) => {
    const button = event.target.closest("button")
    if (button) setTriggerValue("claim", button.parentElement.dataset.claim)
  }
}
