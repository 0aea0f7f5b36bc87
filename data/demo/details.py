"""What the bodies of the invented team's pull requests say, by the pattern of the subject.

Before the bar stands a piece of a pattern (see `words.PATTERNS`), or "*" for whatever else there is; after it what
somebody writes about such a change. A line without a bar goes on with the one before. `{t}` is the topic, `{T}` the
same with a capital, `{c}` the condition, `{file}` the main file.
"""


def _table(text: str) -> tuple[tuple[str, str], ...]:
    rows: list[tuple[str, str]] = []
    for line in text.strip().splitlines():
        key, bar, sentence = line.partition("|")
        if bar:
            rows.append((key.strip(), sentence.strip()))
        else:
            rows[-1] = (rows[-1][0], f"{rows[-1][1]} {line.strip()}")
    return tuple(rows)


DETAILS = {
    "fix": _table(
        """
        lost       | The flush ran before the last batch was appended, so {t} of the final seconds never reached the
                     store {c}. The flush waits for the writer now.
        lost       | `{file}` replaced the whole list instead of merging it; {c} whatever had arrived meanwhile was
                     gone. It merges by id now.
        lost       | The rollback of an unrelated failure took {t} along {c}. Each has a transaction of its own now.
        counted twice | The join in `{file}` matched one row per antenna, so {t} counted once for each {c}.
                     Grouped before joining now.
        counted twice | A retry after a timeout wrote the same rows again {c}. The insert is idempotent now, keyed by id
                     and start.
        counted twice | Both the event and the poll added to the total {c}. Only the event does now.
        stale      | The cache key did not contain the revision, so {c} everybody saw the state of an hour ago.
        stale      | `{file}` subscribed once at start-up and never again. It renews the subscription with the
                     connection, so {t} are fresh {c} too.
        stale      | The invalidation reached one worker only. It goes through the bus now.
        out of order | Sorting was by local time as text, which {c} is not the order of time. It is by UTC, then id.
        out of order | Two tasks append to the same list and the slower one wins {c}. A single consumer does it now.
        keep       | The clean-up took {t} for leftovers {c}. It looks at the state first now.
        keep       | Operators expect {t} to survive {c}; we threw everything away and rebuilt. Only what changed is
                     rebuilt now.
        drop       | A filter meant for duplicates also caught {t} {c}. It compares the full key now.
        drop       | An early return skipped the rest of the batch {c}. One bad entry is logged and skipped alone now.
        crash      | `{file}` assumed at least one entry; {c} there is none. Empty input is a normal case now.
        crash      | The lookup used square brackets on a key that is optional {c}. It falls back to the default now.
        crash      | A None from the driver went all the way up. It is checked at the border now, and the message names
                     the id.
        off-by-one | The upper bound was inclusive in one place and exclusive in the other; {c} they disagree.
                     Half-open everywhere now.
        off-by-one | The loop stopped one short, visible only {c}.
        wrong {    | The unit was seconds here and milliseconds in the caller, which shows {c}. Converted in one place
                     now.
        wrong {    | Local dates were compared with UTC dates {c}. Everything is UTC now and converted at the edge.
        wrong {    | Copy-and-paste slip: `{file}` read the field of its neighbour.
        empty      | The permission filter ran on the wrong side of the join, so {c} nothing was left.
        empty      | The query waited for a column that is filled later {c}. It uses the raw table now.
        hanging    | `{file}` held the lock while waiting for the network, so {t} could not finish {c}. The lock covers
                     the bookkeeping only now.
        hanging    | A future was never resolved {c}, and nobody had a timeout on it. There is one now.
        hanging    | The queue between the two tasks is bounded and both waited for each other {c}. The reader never
                     blocks now.
        silently   | The background task was never awaited and its error disappeared {c}. Errors surface in the log now.
        silently   | A catch-all from the early days. It logs and raises again now.
        silently   | The exit status was ignored {c}. It is checked, and the message has the last lines of output.
        running twice | Since the last refactoring two callers start {t}; {c} both ran. Only the first gets
                     through now.
        running twice | The timer was armed again before the old one was cleared {c}.
        running twice | Two replicas both believed to be in charge {c}. The advisory lock decides now.
        race       | Read, change, write without a lock; {c} the second writer wins. Now a compare-and-swap with three
                     tries.
        race       | The state was checked before the wait and trusted after it. It is checked again now.
        leak       | Finished entries stayed in a map for debugging. They leave after ten minutes now; flat at 180 MB
                     overnight.
        leak       | Each reconnect added a listener and none was ever removed {c}.
        giving up  | The retry counter was shared by all targets, so {c} it ran out at once. One for each target now.
        giving up  | The deadline included the time in the queue. It starts with the first attempt now.
        block      | A synchronous call sat in the event loop; {c} everything else waited. It runs in a thread now.
        block      | {T} took the global lock for the whole exchange. A snapshot is enough.
        timeout    | The timeout covered the connect but not the read. There is one deadline for the exchange now.
        timeout    | Large answers take longer than the ten seconds we allowed {c}. It asks in pages now.
        log why    | The log only said "failed". It says which id, which step and what the other side answered.
        log why    | We could not tell from the logs what happened {c}. Now we can.
        ignored    | The value was read before the profile is loaded, so it had no effect {c}. It is read on use now.
        ignored    | A second default further down won {c}. There is only one now.
        respect    | `{file}` had a constant of its own. It uses the configured value now, also {c}.
        default    | The documentation says 30, the code said 3. The documentation is right.
        default    | The default fits our own site and nobody else's, least of all {c}.
        validate   | A negative value made everything wait for ever {c}. It is refused at start-up now, by name.
        too late   | A change took effect with the next restart only. It is applied with the reload now.
        flickering | A changing key made React rebuild {t} on every tick. The key is the pass id now.
        flickering | Two effects set the same state one after the other {c}. They are one now.
        cut off    | A fixed width of 960 px was left over from the prototype. The width follows the container now.
        cut off    | The overflow was hidden on the wrong element {c}.
        refreshing | The component kept its own copy of the rows and missed new ones {c}. It reads the shared store now.
        selection  | The selection was kept by row index; {c} the index moves. It is kept by id now.
        layout     | The grid had one column too many {c}. Before and after are in the preview build.
        colours    | Two colours were written out instead of using tokens. Contrast is 5.2:1 now, it was 2.1:1.
        focus      | A positive tab index jumped to the toolbar first. Removed; the order of the document is right.
        failing {c} | The runner lost a package we relied on. It is installed explicitly now.
        failing {c} | The step needs a token that is not there {c}. It is skipped with a notice in that case.
        cache key  | The key did not contain the Python version, so wheels of another version were restored.
        permission | The token became read-only by default. The one permission needed is listed now.
        timing out | The download took most of the time {c}. It is cached now.
        quoting    | A value with a space was split in two {c}. Quoted now.
        raise {t}  | Chosen when we had two stations. Too tight {c}.
        """
    ),
    "feat": _table(
        """
        filter     | The list has grown past 2,000 entries and nobody scrolls that far. The address has it too.
        filter     | Same parameter as elsewhere: `mission=`, several allowed.
        CSV        | Columns as on screen, times in ISO 8601 and UTC. Cells that look like formulas stay text.
        who        | Name and time of the last change, taken from the audit log. No schema change.
        group      | Sums by station, each row unfolds. The flat view stays the default.
        check      | A broken file used to be found by the solver hours later. The import names line and column now.
        history    | Old versions stay for 90 days and can be compared. One new table, nothing else changes.
        came from  | File name, operator and time are stored with each entry and shown in the detail view.
        metrics    | A counter by mission and station, so that the dashboard can show a rate.
        summary    | One line at the end instead of hundreds in between; details move to debug level.
        debug page | Read-only, behind the admin role. Saves a database shell in most cases.
        across services | The request id travels along and shows up in every log line.
        dry run    | Shows what would happen and writes nothing. Same code path up to the commit.
        progress   | An event every two percent at most, so that slow clients keep up.
        cancell    | Stops at the next safe point, usually within a second. Partial results are kept and marked.
        resume     | A checkpoint every 50 steps; after a crash it goes on from there instead of from the beginning.
        trace {t} with | One span for each step, with the mission as attribute. Off unless an endpoint is configured.
        switch     | Missions in commissioning want it off. Default is on, as before.
        duration   | A histogram by mission, buckets from 10 ms to 10 minutes.
        set {t}    | Falls back to the global value. The settings page shows which of the two applies.
        hot-reload | On SIGHUP or when the file changes; a wrong value is refused and the old one stays.
        status     | One more line in the output, in `--json` as well.
        environment | The variable wins over the file, as everywhere else.
        shortcuts  | `j` and `k` move, Enter opens, `?` shows the list.
        compact    | Twice the rows on a laptop screen. Remembered per user.
        remember   | Scroll position, sorting and open rows survive a reload.
        deep links | The address carries what is open, and the page scrolls to it.
        print      | Black on white, no navigation, page numbers. For the hand-over folder.
        configurable | The present value becomes the default, so nothing changes for existing installations.
        separate   | Agents have other needs than the server; until now both shared one value.
        smoke      | Starts it, waits for the health check, stops it. 40 seconds.
        """
    ),
    "new": _table(
        """
        * | Adds {t}. The logic lives in `{file}`, callers only see one function.
        * | Adds {t}, off by default: `{flag} = true` switches it on.
        * | First part of {t}: reading and showing. Editing comes in a follow-up.
        * | Until now {t} took a script on the side and some courage. This brings it into the product.
        * | Adds {t} as discussed in the design meeting, without the parts we could not agree on.
        """
    ),
    "refactor": _table(
        """
        interface  | The live and the simulated variant implement it; a third one for replay follows.
        split      | `{file}` had grown three responsibilities, each has a module now. Old imports keep working.
        simplify   | Two nested loops and a flag became one pass. No behaviour change intended.
        simplify   | Written when we had one antenna a site; most of the special cases are gone since.
        dead code  | Nothing has called this since the old agent protocol went. The coverage report agrees.
        types      | Found one real bug on the way, fixed separately.
        one code   | The live and the replay variant had drifted apart. Both use the same function now.
        asynchronous | Calls are awaited now; a shim keeps the old ones working until the last part.
        clock      | Tests no longer patch the time. No behaviour change.
        globals    | State moves into an object that is passed along, so that two missions can run in one process.
        """
    ),
    "perf": _table(
        """
        copies     | The profile of the nightly batch showed {pct} % of the time in `{file}`, most of it copying.
        cache      | Looked up {n} times in one run with the same arguments. Bounded to 4,096 entries.
        halve      | Columns instead of objects. Nothing outside `{file}` notices.
        index      | A linear scan was fine for a day and is not for a season.
        speed up   | {T} took {pct} % of the time in the flame graph of the last load test.
        batch      | One round trip instead of {n}.
        allocations | The hot loop builds nothing any more; buffers are reused.
        lock       | Readers take a snapshot. Writers still wait for each other.
        rendering  | Rows are memoised by id and revision. Scrolling stays at 60 frames a second now.
        lazily     | Only what is on screen is built. First paint no longer depends on the number of passes.
        """
    ),
    "test": _table(
        """
        cover      | Covers the branches of `{file}` that the report showed in red. No production code touched.
        cover      | Would have caught the incident of last week.
        property   | Two hundred random plans a run; found nothing so far, which is reassuring.
        sleeps     | They wait for the event itself now. The suite is 40 seconds shorter.
        deflake    | It depended on the order in which two tasks finish. {n} runs in a row without a failure now.
        cut        | The fixture is built once a module instead of once a test.
        """
    ),
    "docs": _table(
        """
        document   | What it does, when to touch it, and what happens if it is wrong.
        explain    | With a worked example from the simulator, to be copied and run.
        describe   | The behaviour {c} was nowhere written down.
        diagram    | The source of the drawing is in the same folder.
        trouble    | Symptoms first, then causes, in the order in which they happen to people.
        update     | The old text described the behaviour of two releases ago.
        extend     | A section of its own {c}, with the questions of the last months.
        typos      | Only spelling.
        dead       | Three pages had moved. The link check is part of the build now.
        rewrite    | Shorter, and in the order in which one does things.
        screenshots | Taken with the new theme, light and dark.
        missing    | I followed it on a fresh machine and wrote down where I got stuck.
        *          | Collected from the questions of the last months.
        """
    ),
    "ci": _table(
        """
        cache      | Takes {fast} minutes instead of {slow}.
        split      | The fast half reports after {fast} minutes, the slow half does not block a merge any more.
        pin        | By hash, with the version as a comment, so that the update bot keeps up.
        skip       | It can't succeed {c} and only makes people ignore red marks.
        run {t}    | We say that we support it, so we should test it.
        logs       | Kept for 14 days as an artefact.
        timeout    | It takes {fast} minutes when healthy and used to hang for six hours.
        retry      | The mirror fails about once a week. A second failure still fails the job.
        *          | Runs on main and nightly, not on pull requests.
        """
    ),
    "build": _table(
        """
        layers     | Image size {fast}04 MB instead of {slow}91 MB.
        non-root   | Asked for by the security review. Volumes need the right owner, see the notes.
        pin        | By digest, so that two builds of one commit are the same.
        multi-arch | For the ARM machines at two of our sites. Cross-built, about twice the time.
        lint       | A typo in the chart went unnoticed for a release.
        shared     | It stood in three files with three values.
        *          | Used by two sites already, now for everybody.
        """
    ),
    "chore": _table(
        """
        log lines  | One line an event, the id always first, no exclamation marks.
        warning    | It shows up in every run and hides the real ones.
        comment    | It described code that left two years ago.
        constants  | No functional change.
        tidy       | Sorted keys, no functional change.
        leftovers  | From the move last autumn. Nothing refers to them.
        """
    ),
    "breaking": _table(
        """
        old format | Reading it has logged a deprecation warning for two releases. A converter is in `scripts/`.
        rename     | The names come from the first prototype and mean something else to operators.
        deprecated | They have done nothing but warn since the spring.
        mission id | Without it the answer depended on who asked. Callers get a clear error now.
        error type | Callers had to catch four. Code that catches the old ones has to change.
        """
    ),
}
REASONS = {
    "fix": (
        "Seen twice on staging this week.",
        "Reported by the night shift.",
        "An operator noticed it during the {mission} campaign.",
        "Found while reading the logs of last night's run.",
        "Two missions were affected, {mission} was one of them.",
        "Nobody noticed for weeks, because the next run repaired it.",
        "Came up in the review of {mission}'s first month.",
        "A site reported it with a very good description, thanks!",
    ),
    "feat": (
        "The {mission} team does this by hand today.",
        "Asked for by three sites. Old clients keep working.",
        "Makes the morning hand-over shorter: the answer is on screen instead of in the logs.",
        "Operators have asked for it since the spring review.",
        "Needed before {mission} goes live.",
        "Small, but it comes up in every training.",
    ),
    "refactor": (
        "Prepares the work planned for the next milestone.",
        "Three bugs of the last month came from here.",
        "Makes the next change a small one.",
    ),
    "perf": (
        "Measured on the replay of the {mission} campaign, best of five runs.",
        "The nightly run barely fits the night.",
    ),
    "docs": ("Came up twice in the support channel.", "Wording reviewed by the operations team."),
}
UNTESTED = (
    "Hard to test without an antenna; checked by hand on the bench.",
    "Checked by hand on staging.",
    "Tests will follow in a separate pull request.",
    "I could not find a good place for a test, hints welcome.",
    "Ran the replay of {mission} before and after, same plans.",
)
UNTESTED_UI = (
    "Checked by hand in two browsers, light and dark.",
    "Clicked through it on the preview build.",
    "I could not find a good place for a test, hints welcome.",
)
TESTED = (
    "The new test fails without the change.",
    "Tests extended.",
    "Covered by new cases in the existing test file.",
    "Unit tests, and one evening on the simulator.",
)
TOOLS = {"console": "`npm test`", "agent": "`go test ./...`"}
MISSIONS = ("Heron-2", "Sparrow", "Lynx", "Aurelia", "Kestrel-B", "Marigold")

DETAILS_ZH = {
    "fix": _table(
        """
        lost       | `{file}` 整体替换了列表而不是合并，{c}新到的数据会丢。改为按 id 合并。
        counted twice | 超时重试时重复写入，{c}{t}被算了两次。改为按主键幂等写入。
        stale      | `{file}` 的缓存没有失效，{c}看到的仍是旧数据。现在缓存键包含版本号。
        out of order | 原来按本地时间文本排序，{c}顺序不对。改为按 UTC 时间和 id 排序。
        keep       | 清理任务把{t}当成残留数据，现在先检查状态再清理。
        drop       | 去重条件太宽，{c}会误删{t}。改为比较完整的键。
        crash      | `{file}` 假设至少有一条数据，{c}并不成立。空列表按正常情况处理。
        off-by-one | 上界有的地方含、有的地方不含，{c}结果不一致。统一为左闭右开。
        wrong {    | {c}误把本地日期和 UTC 日期相比。统一用 UTC 比较，只在边界处转换。
        empty      | 权限过滤放错了位置，{c}全部被过滤掉。
        hanging    | `{file}` 等待网络时一直持锁，{c}{t}无法结束。现在锁只保护状态更新。
        silently   | 后台任务没有被等待，{c}异常被吞掉。现在异常会写入日志。
        running twice | 上次重构后有两处会启动{t}，{c}会同时运行。增加保护，只允许第一个执行。
        race       | 读取和写入之间没有加锁，{c}后写的会覆盖先写的。改为带重试的比较后写入。
        leak       | 已结束的条目一直留在字典里。现在十分钟后清除，跑一晚内存稳定。
        giving up  | 重试次数由所有目标共用，{c}很快用完。改为每个目标单独计数。
        block      | 事件循环里有同步调用，{c}其他任务都在等。移到线程中执行。
        timeout    | 超时只覆盖了建立连接，没有覆盖读取。现在整个过程共用一个截止时间。
        log why    | 原来日志只写“失败”，现在写明 id、步骤和对方的返回。
        flickering | 每次刷新键值都变，组件被整个重建。改用过境 id 作为键。
        refreshing | 组件自己保存了一份数据，{c}收不到更新。改为读取共享状态。
        cut off    | 固定宽度是原型阶段遗留的，改为随容器变化。
        too late   | 原来要重启才生效，现在重载配置时立即生效。
        ignored    | 配置在配置档加载之前读取，{c}不生效。改为使用时读取。
        validate   | 负值会导致一直等待，现在启动时直接拒绝并提示选项名。
        *          | 影响范围不大，细节见代码注释。
        """
    ),
    "feat": _table(
        """
        * | {mission} 任务目前靠手工完成，这里做进产品。
        * | 三个站点提出的需求。旧客户端不受影响，新字段为可选。
        * | 培训时每次都会被问到，改动不大。
        """
    ),
    "new": _table(
        """
        * | {mission} 任务需要{t}，默认关闭，`{flag} = true` 时启用。
        * | 运维同学多次提出需要{t}，主要逻辑在 `{file}`。
        * | {t}的第一部分，先支持读取和展示，编辑功能后续再补。
        """
    ),
    "refactor": _table(
        """
        split | `{file}` 职责过多，这里拆开，旧的导入方式仍然可用。
        dead code | 旧协议下线后已无人调用，覆盖率报告也证实了这一点。
        clock | 测试不再需要打补丁改时间，不改变行为。
        * | 不改变行为，为下个里程碑的{t}改造做准备。
        * | 上个月有三个问题都出在这里，先整理清楚，不改变行为。
        """
    ),
    "perf": _table(
        """
        * | 夜间批次的火焰图里 `{file}` 占 {pct} %，这里去掉循环内的分配。
        * | 原来每次都重新计算，改为批量处理。
        """
    ),
    "test": _table(
        """
        * | 只改测试，不动产品代码。
        * | 补上报告里标红的分支。
        """
    ),
    "docs": _table(
        """
        * | 支持群里被问到两次，补充说明。
        * | 旧文档描述的是两个版本之前的行为。
        """
    ),
    "ci": _table("* | 耗时从 {slow} 分钟降到 {fast} 分钟。"),
    "build": _table("* | 安全评审提出的要求。"),
    "chore": _table("* | 无功能变化。"),
    "breaking": _table("* | 旧格式已提示弃用两个版本，外部调用方需要按升级指南修改。"),
}
TESTED_ZH = ("补充了回归测试，去掉修改后测试失败。", "新增用例覆盖该场景。")
UNTESTED_ZH = (
    "已在测试环境手工验证。",
    "没有天线不好写自动化测试，已在台架上验证。",
    "用 {mission} 的历史过境跑过一遍，结果一致。",
)

TEMPLATE = """<!-- Thank you for contributing to Orbit! Fill in the sections below and delete what does not apply.
Titles follow `[area] kind: summary`; put [BREAKING] in front if callers have to change something. -->

### What does this PR do?

{what}

### Why is it needed?

{why}

### How was it tested?

{tested}

### Checklist

- [{read}] I have read the contribution guide
- [{tests}] Tests are added or updated
- [{docs}] Documentation is updated
- [ ] Breaking changes are listed in the upgrade guide
"""
