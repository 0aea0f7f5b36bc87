"""The report in words: claims as sentences, sections as Markdown, and the formats made from these."""
