"""What the invented team of the sample repository talks about, and how its titles and bodies are worded.

Everything is made of topics: a topic ties words ("worker leases") to one file (`leases.py`), so that a title always
names what its change touches. Patterns are chosen by the sort of thing a topic is: data is lost, a process hangs, a
setting is ignored, a view flickers. Emoji are written by name to keep this file plain.
"""

from collections.abc import Sequence
from typing import NamedTuple

Pair = tuple[str, str]  # the English and the Chinese words


class Topic(NamedTuple):
    """Something the repository does, and the file that does it."""

    area: str
    stem: str  # file below the area's folder, without suffix in Python areas
    sort: str  # d data, i internal data, p process, s setting, v view, j job, k chart value, g page
    en: str
    zh: str


class Vocabulary(NamedTuple):
    """The words of one area. The first topics are the ones people touch most."""

    zh: str
    aliases: Sequence[str]  # what sloppy titles call it
    topics: Sequence[Topic]
    ideas: Sequence[Topic]  # not built yet
    conditions: Sequence[Pair]


class Subject(NamedTuple):
    """What one pull request is about, before anybody styles it as a title."""

    kind: str
    topic: Topic
    pattern: str  # the English clause with its gaps
    text: str  # the same, filled in, e.g. "pass windows lost after a restart"
    verb: str  # what a plain sentence puts before it, "" where the clause has a verb of its own
    zh: str
    condition: Pair
    builds: bool = False  # the topic's file is new
    breaking: bool = False


def _topics(area: str, table: str) -> tuple[Topic, ...]:
    rows = (line.split("|") for line in table.strip().splitlines())
    return tuple(Topic(area, *(cell.strip() for cell in row)) for row in rows)


def _pairs(table: str) -> tuple[Pair, ...]:
    rows = (line.split("|") for line in table.strip().splitlines())
    return tuple((en.strip(), zh.strip()) for en, zh in rows)


def _vocabulary(area: str, zh: str, aliases: str, topics: str, ideas: str, conditions: str) -> Vocabulary:
    return Vocabulary(zh, aliases.split(), _topics(area, topics), _topics(area, ideas), _pairs(conditions))


VOCABULARY = {
    "planner": _vocabulary(
        "planner",
        "规划",
        "plan planning",
        """
        solver      | p | plan solving               | 规划求解
        windows     | d | pass windows               | 过境窗口
        solver      | s | the solver time limit      | 求解时限
        constraints | d | pointing constraints       | 指向约束
        windows     | p | window merging             | 窗口合并
        conflicts   | p | conflict resolution        | 冲突消解
        orbits      | p | orbit propagation          | 轨道外推
        orbits      | d | TLE sets                   | 两行根数
        solver      | p | the solver's warm start    | 求解器热启动
        eclipse     | d | eclipse intervals          | 地影区间
        constraints | d | keep-out zones             | 禁区约束
        resources   | d | power budgets              | 功率预算
        conflicts   | i | priority ties              | 并列优先级
        replan      | p | replanning                 | 重规划
        resources   | d | on-board memory estimates  | 星上存储估算
        cost        | s | the cost weights           | 代价权重
        constraints | d | slew-rate limits           | 转动速率限制
        """,
        """
        handover    | p | ground-station handover             | 地面站切换
        whatif      | d | what-if plans                       | 假设规划
        fairshare   | d | fair shares between missions        | 任务间公平分配
        drift       | d | station-keeping windows             | 位保窗口
        sun_angle   | d | sun-angle constraints               | 太阳角约束
        thermal     | d | thermal limits                      | 热限制
        lookahead   | p | rolling look-ahead planning         | 滚动前瞻规划
        downlink    | d | downlink volume estimates           | 下传量估算
        manoeuvres  | d | manoeuvre blackout periods          | 机动禁用时段
        confidence  | d | confidence levels of predicted passes | 过境预报置信度
        twilight    | d | twilight windows                      | 晨昏窗口
        swaps       | p | swapping of adjacent passes           | 相邻过境互换
        templates   | d | plan templates                        | 规划模板
        uncertainty | d | uncertainty of pass times             | 过境时间不确定度
        crosslinks  | p | crosslink planning                    | 星间链路规划
        scoring     | d | plan scores                           | 规划评分
        """,
        """
        when a pass crosses midnight    | 跨午夜时
        for polar orbits                | 极轨道下
        after a leap second             | 闰秒后
        with two antennas on one site   | 同站双天线时
        on an empty catalogue           | 目录为空时
        for passes under a minute       | 过境不足一分钟时
        with week-old TLEs              | 根数过期时
        with more than 200 tasks        | 任务超过 200 个时
        during eclipse season           | 地影季期间
        """,
    ),
    "scheduler": _vocabulary(
        "scheduler",
        "调度",
        "sched sched queue",
        """
        engine      | p | the dispatch loop       | 派发循环
        leases      | i | worker leases           | 工作租约
        queue       | d | queued jobs             | 排队作业
        retry       | p | the retry backoff       | 重试退避
        leases      | p | lease renewal           | 续租
        engine      | p | job cancellation        | 作业取消
        cron        | d | recurring jobs          | 周期作业
        workers     | i | worker heartbeats       | 工作节点心跳
        retry       | s | the retry limit         | 重试上限
        states      | d | job states              | 作业状态
        queue       | s | the queue limit         | 队列上限
        deadlines   | d | job deadlines           | 作业截止时间
        cron        | p | the nightly run         | 夜间任务
        workers     | p | worker draining         | 节点排空
        preemption  | p | preemption              | 抢占
        """,
        """
        quotas      | d | per-mission quotas          | 按任务配额
        dead_letter | d | dead-lettered jobs          | 死信作业
        batching    | p | job batching                | 作业合批
        priorities  | d | priority classes            | 优先级分类
        pools       | d | worker pools                | 工作池
        calendars   | d | maintenance calendars       | 维护日历
        affinity    | s | antenna affinity            | 天线亲和性
        pausing     | p | pausing of missions         | 任务暂停
        audit       | d | the job-state audit trail | 作业状态审计
        leader      | p | leader election             | 选主
        blackouts   | d | blackout dates              | 停用日期
        escalation  | p | escalation of late jobs     | 超时作业升级
        fanout      | p | fan-out of group jobs       | 组作业分发
        throttle    | p | throttling by station       | 按站点限速
        labels      | d | job labels                  | 作业标签
        warm_pool   | p | the warm pool               | 预热池
        """,
        """
        after a restart               | 重启后
        when two workers race         | 两个节点竞争时
        on clock skew                 | 时钟偏移时
        across a DST change           | 夏令时切换时
        when the queue is full        | 队列已满时
        after a lost lease            | 租约丢失后
        for cancelled jobs            | 作业取消后
        when a worker dies mid-job    | 节点中途退出时
        with an empty queue           | 队列为空时
        """,
    ),
    "storage": _vocabulary(
        "storage",
        "存储",
        "db storage store",
        """
        session     | p | session handling       | 会话管理
        migrations  | p | the schema migration   | 表结构迁移
        plans       | d | saved plans            | 已存规划
        cache       | i | cached rows            | 缓存行
        session     | s | the pool size          | 连接池大小
        passes      | d | archived passes        | 归档过境
        blobs       | p | blob upload            | 数据块上传
        retention   | p | the retention sweep    | 过期清理
        blobs       | i | telemetry blobs        | 遥测数据块
        index       | p | the index rebuild      | 索引重建
        cache       | p | cache eviction         | 缓存淘汰
        retention   | s | the retention period   | 保留期限
        export      | p | the nightly export     | 夜间导出
        """,
        """
        partitions  | d | monthly partitions               | 按月分区
        replica     | p | read-replica routing             | 只读副本路由
        snapshots   | d | point-in-time snapshots          | 时间点快照
        archive     | d | cold archives on object storage  | 对象存储冷归档
        checksums   | d | checksums of stored blobs        | 数据块校验和
        bulk        | p | bulk inserts                     | 批量写入
        soft_delete | d | soft-deleted plans               | 软删除规划
        outbox      | p | the transactional outbox         | 事务发件箱
        compaction  | p | blob compaction                  | 数据块压实
        tiering     | p | tiering of old blobs             | 旧数据分层
        encryption  | p | encryption at rest               | 静态加密
        audit_log   | d | audit records                    | 审计记录
        vacuum      | p | the scheduled vacuum             | 定时清理
        tags        | d | plan tags                        | 规划标签
        streaming   | p | streaming reads                  | 流式读取
        """,
        """
        after a failed migration       | 迁移失败后
        under concurrent writes        | 并发写入时
        on PostgreSQL 17               | 使用 PostgreSQL 17 时
        after a failover               | 主备切换后
        for rows older than a year     | 超过一年的数据
        when the disk is full          | 磁盘写满时
        inside nested transactions     | 嵌套事务中
        on a read replica              | 只读副本上
        """,
    ),
    "api": _vocabulary(
        "api",
        "接口",
        "API rest api",
        """
        schemas     | d | plan responses        | 规划响应
        passes      | d | pass listings         | 过境列表
        pagination  | i | page cursors          | 分页游标
        errors      | i | error codes           | 错误码
        live        | p | the live feed         | 实时推送
        missions    | d | mission filters       | 任务筛选
        webhooks    | p | webhook delivery      | 回调投递
        ratelimit   | s | the rate limit        | 限流阈值
        middleware  | p | request logging       | 请求日志
        schemas     | i | optional fields       | 可选字段
        uploads     | p | TLE upload            | 根数上传
        """,
        """
        bulk_tasks  | p | bulk task updates             | 任务批量更新
        etags       | p | conditional requests          | 条件请求
        calendar    | d | calendar feeds                | 日历订阅
        csv_export  | d | CSV downloads                 | CSV 下载
        search      | p | full-text mission search      | 任务全文检索
        negotiation | p | version negotiation           | 版本协商
        readiness   | p | the readiness probe           | 就绪探针
        idempotency | i | idempotency keys              | 幂等键
        filters     | d | filter expressions            | 筛选表达式
        batches     | p | batch requests                | 批量请求
        sparse      | d | sparse field sets             | 稀疏字段
        links       | d | pagination links              | 分页链接
        sandbox     | p | the sandbox mode              | 沙箱模式
        quotas      | d | quota headers                 | 配额响应头
        geojson     | d | GeoJSON ground tracks         | 星下点 GeoJSON
        """,
        """
        for an unknown station         | 站点不存在时
        with an empty filter           | 筛选为空时
        after a token refresh          | 令牌刷新后
        on large pages                 | 单页过大时
        when the client disconnects    | 客户端断开时
        for deleted missions           | 任务删除后
        with a zone in the query       | 查询带时区时
        behind a proxy                 | 代理之后
        """,
    ),
    "console": _vocabulary(
        "console",
        "控制台",
        "ui web console",
        """
        timeline/Timeline.tsx   | v | the timeline          | 时间轴
        passes/PassTable.tsx    | v | the pass table        | 过境表格
        plans/PlanEditor.tsx    | v | the plan editor       | 规划编辑器
        lib/api.ts              | p | request retries       | 请求重试
        timeline/zoom.ts        | p | timeline zooming      | 时间轴缩放
        map/GroundTrack.tsx     | v | the ground track      | 星下点轨迹
        alerts/AlertList.tsx    | v | the alert list        | 告警列表
        lib/time.ts             | d | local times           | 本地时间
        passes/filters.ts       | d | saved filters         | 已存筛选
        auth/useSession.ts      | p | session refresh       | 会话刷新
        settings/Settings.tsx   | v | the settings page     | 设置页
        layout/Sidebar.tsx      | v | the sidebar           | 侧边栏
        """,
        """
        timeline/Minimap.tsx    | v | the timeline minimap            | 时间轴缩略图
        passes/ColumnPicker.tsx | v | the pass-column picker          | 过境列选择器
        plans/PlanDiff.tsx      | v | the side-by-side plan diff      | 规划对比视图
        alerts/Snooze.tsx       | v | snoozing of alerts            | 告警稍后提醒
        map/Footprint.tsx       | v | sensor footprints on the map  | 传感器覆盖范围
        lib/offline.ts          | p | offline mode                  | 离线模式
        layout/CommandBar.tsx   | v | the command bar                 | 命令面板
        passes/Countdown.tsx    | v | countdowns to the next pass   | 下次过境倒计时
        settings/Units.tsx      | v | unit preferences              | 单位偏好
        passes/Heatmap.tsx      | v | the pass heatmap              | 过境热力图
        plans/Comments.tsx      | v | comments on plans             | 规划评论
        alerts/Rules.tsx        | v | the alert-rule editor         | 告警规则编辑器
        map/DayNight.tsx        | v | the day-night line            | 晨昏线
        lib/clipboard.ts        | p | copying of tables             | 表格复制
        settings/Theme.tsx      | v | the theme switch              | 主题切换
        timeline/Bookmarks.tsx  | v | timeline bookmarks            | 时间轴书签
        layout/Tour.tsx         | v | the guided tour               | 新手引导
        """,
        """
        on narrow screens           | 窄屏下
        in Safari                   | Safari 中
        in dark mode                | 深色模式下
        after a reconnect           | 重连后
        with more than 500 passes   | 过境超过 500 条时
        for keyboard users          | 键盘操作时
        in Chinese                  | 中文界面下
        after the tab was asleep    | 页面休眠后
        on slow links               | 网络较慢时
        """,
    ),
    "agent": _vocabulary(
        "agent",
        "站端",
        "go station agent",
        """
        internal/link/link.go         | p | the link watchdog      | 链路看门狗
        internal/antenna/antenna.go   | p | antenna pointing       | 天线指向
        internal/spool/spool.go       | i | spooled frames         | 缓存帧
        internal/rpc/client.go        | p | the gRPC reconnect     | 断线重连
        internal/config/config.go     | s | the poll interval      | 轮询间隔
        cmd/orbit-agent/main.go       | p | graceful shutdown      | 优雅退出
        internal/radio/radio.go       | d | radio settings         | 电台设置
        internal/clock/clock.go       | p | clock discipline       | 时钟校准
        internal/antenna/limits.go    | i | rotor limits           | 转台限位
        """,
        """
        internal/selftest/selftest.go | p | the self-test before a pass | 过境前自检
        internal/doppler/doppler.go   | p | Doppler correction          | 多普勒修正
        internal/recorder/recorder.go | p | raw recording               | 原始记录
        internal/update/update.go     | p | staged agent updates        | 分批升级
        internal/weather/weather.go   | d | wind-speed readings         | 风速读数
        internal/spool/compress.go    | d | compressed spool files      | 压缩缓存文件
        internal/power/power.go       | d | supply voltages             | 供电电压
        internal/health/health.go     | p | the health endpoint         | 健康检查接口
        internal/plan/cache.go        | d | cached plans                | 本地规划
        internal/lock/lock.go         | p | the hardware lock           | 硬件锁
        """,
        """
        on ARM64                     | ARM64 上
        after a network split        | 网络分区后
        when the rotor is parked     | 转台停靠时
        with a full disk             | 磁盘写满时
        on a cold start              | 冷启动时
        for half-duplex radios       | 半双工电台下
        under systemd                | systemd 下
        """,
    ),
    "telemetry": _vocabulary(
        "telemetry",
        "遥测",
        "tm telemetry metrics",
        """
        decoder     | p | frame decoding          | 帧解码
        frames      | d | telemetry frames        | 遥测帧
        limits      | d | limit alarms            | 越限告警
        buffer      | p | the ingest flush        | 接收缓冲刷新
        limits      | s | the alarm threshold     | 告警阈值
        downsample  | p | downsampling            | 降采样
        metrics     | d | Prometheus metrics      | 监控指标
        ccsds       | i | CCSDS headers           | 包头字段
        buffer      | i | buffered samples        | 缓冲样本
        """,
        """
        derived     | d | derived channels             | 派生通道
        replay      | p | replay of recorded passes    | 过境回放
        spectra     | d | spectrum snapshots           | 频谱快照
        routing     | p | alert routing                | 告警路由
        latency     | i | end-to-end latency metrics   | 端到端延迟指标
        gaps        | d | gap reports                  | 缺帧报告
        calibration | d | calibration curves           | 标定曲线
        baselines   | d | limit baselines              | 限值基线
        stitching   | p | stitching of passes          | 过境拼接
        annotations | d | operator annotations         | 操作员标注
        """,
        """
        at high frame rates        | 高帧率下
        for out-of-order frames    | 乱序帧时
        after a signal loss        | 失锁后
        with missing channels      | 通道缺失时
        at the counter rollover    | 计数器回绕时
        during playback            | 回放期间
        on corrupt frames          | 坏帧时
        """,
    ),
    "cli": _vocabulary(
        "cli",
        "命令行",
        "CLI cmd cli",
        """
        output      | d | JSON output           | JSON 输出
        passes      | d | pass tables           | 过境表
        profile     | s | the profile setting   | 配置档
        login       | p | device login          | 设备登录
        plan        | p | plan submission       | 规划提交
        completion  | p | shell completion      | 命令补全
        progress    | v | the progress bar      | 进度条
        """,
        """
        watch       | p | watch mode            | 监视模式
        plan_diff   | d | plan diffs            | 规划差异
        doctor      | p | self-diagnosis        | 自诊断
        templates   | d | task templates        | 任务模板
        history     | d | command history       | 命令历史
        export      | d | exported plans        | 导出规划
        batch_mode  | p | batch mode            | 批处理模式
        simulate    | p | simulated passes      | 模拟过境
        """,
        """
        on Windows                 | Windows 上
        when piped                 | 管道输出时
        in a narrow terminal       | 终端过窄时
        without a profile          | 没有配置档时
        with `--json`              | 使用 `--json` 时
        when stdin is closed       | 标准输入关闭时
        inside a container         | 容器内
        """,
    ),
    "auth": _vocabulary(
        "auth",
        "认证",
        "login auth security",
        """
        tokens      | p | token refresh        | 令牌刷新
        tokens      | i | access tokens        | 访问令牌
        roles       | d | role bindings        | 角色绑定
        oidc        | p | OIDC login           | 单点登录
        sessions    | d | browser sessions     | 浏览器会话
        policy      | p | the permission check | 权限检查
        sessions    | s | the session lifetime | 会话时长
        """,
        """
        scopes      | d | scoped API keys      | 限定范围的密钥
        step_up     | p | step-up login        | 二次验证
        scim        | p | SCIM provisioning    | 账号自动开通
        rotation    | p | key rotation         | 密钥轮换
        groups      | d | group mappings       | 用户组映射
        devices     | d | trusted devices      | 可信设备
        delegation  | p | delegation of roles  | 角色委派
        alerts      | d | login alerts         | 登录告警
        """,
        """
        for service accounts         | 服务账号下
        after a role change          | 角色变更后
        when the provider is down    | 身份服务不可用时
        on the second login          | 二次登录时
        for users in two teams       | 用户属于两个团队时
        after a password reset       | 重置密码后
        """,
    ),
    "docs": _vocabulary(
        "docs",
        "文档",
        "doc doc docs",
        """
        guide/quickstart.md       | g | the quickstart              | 快速上手
        guide/ground-stations.md  | g | the ground-station guide    | 地面站指南
        operations/upgrading.md   | g | the upgrade guide           | 升级指南
        operations/backup.md      | g | the backup page             | 备份说明
        concepts/planning.md      | g | the planning concepts       | 规划概念
        reference/configuration.md | g | the configuration reference | 配置参考
        operations/runbook.md     | g | the on-call runbook         | 值班手册
        guide/first-pass.md       | g | the first-pass tutorial     | 首次过境教程
        reference/questions.md    | g | the list of questions       | 常见问题
        """,
        """
        adr/0021-async-sessions.md | g | the decision record on async sessions | 异步会话决策记录
        guide/air-gapped.md        | g | the guide to air-gapped sites           | 离线站点指南
        concepts/time.md           | g | the page on time scales                 | 时间尺度说明
        operations/sizing.md       | g | sizing advice                         | 容量建议
        guide/simulator.md         | g | the simulator guide                   | 模拟器指南
        """,
        """
        for new operators          | 面向新操作员
        for 2-antenna sites        | 双天线站点
        on Kubernetes              | Kubernetes 部署
        for offline installs       | 离线安装
        for contributors           | 面向贡献者
        """,
    ),
    "ci": _vocabulary(
        "ci",
        "持续集成",
        "CI infra ci",
        """
        .github/workflows/test.yml     | j | the test matrix         | 测试矩阵
        .github/workflows/lint.yml     | j | the lint job            | 静态检查
        .github/workflows/nightly.yml  | j | the nightly build       | 夜间构建
        .github/workflows/release.yml  | j | wheel publishing        | 发布流程
        .github/workflows/images.yml   | j | the image build         | 镜像构建
        .github/workflows/console.yml  | j | the console build       | 控制台构建
        scripts/ci/changed.sh          | j | changed-path detection  | 变更检测
        scripts/ci/flaky.py            | j | the flaky-test report   | 不稳定测试报告
        """,
        """
        .github/workflows/bench.yml    | j | the benchmark job         | 基准测试任务
        .github/workflows/e2e.yml      | j | the end-to-end job       | 端到端任务
        .github/workflows/stale.yml    | j | the stale-issue job       | 过期问题清理
        scripts/ci/sbom.sh             | j | an SBOM step            | 物料清单步骤
        """,
        """
        on forks                   | 派生仓库上
        on macOS runners           | macOS 上
        on tags                    | 打标签时
        with a cold cache          | 缓存为空时
        for drafts                 | 草稿上
        on Python 3.13             | Python 3.13 下
        """,
    ),
    "deploy": _vocabulary(
        "deploy",
        "部署",
        "helm docker deploy",
        """
        helm/orbit/values.yaml                | k | the memory limit        | 内存上限
        helm/orbit/templates/deployment.yaml  | k | the liveness probe      | 存活探针
        docker/Dockerfile                     | j | the server image        | 服务镜像
        helm/orbit/templates/ingress.yaml     | k | the ingress class       | 入口类型
        docker/agent.Dockerfile               | j | the agent image         | 站端镜像
        compose.yaml                          | j | the compose stack       | 本地编排
        helm/orbit/templates/worker.yaml      | k | the worker replicas     | 节点副本数
        """,
        """
        helm/orbit/templates/pdb.yaml         | k | the disruption budget     | 中断预算
        helm/orbit/templates/hpa.yaml         | k | worker autoscaling      | 节点自动扩缩
        helm/orbit/templates/netpol.yaml      | k | network policies        | 网络策略
        docker/console.Dockerfile             | j | the image of the console | 控制台镜像
        """,
        """
        on OpenShift                 | OpenShift 上
        with rootless Docker         | 无根模式下
        during rolling updates       | 滚动更新期间
        behind an ingress            | 入口之后
        on small clusters            | 小集群上
        """,
    ),
}

# By kind, then by the sorts of topic a pattern suits: `{t}` is the topic, `{c}` the condition, `{file}` a file name.
# Before "~" stands the verb that a plain sentence needs and a prefix such as "fix:" makes superfluous.
PATTERNS: dict[str, dict[str, tuple[Pair, ...]]] = {
    "fix": {
        "di": _pairs(
            """
            Fix~{t} lost {c}               | 修复{c}{t}丢失的问题
            Fix~{t} counted twice {c}      | 修复{c}{t}重复计数
            Fix~stale {t} {c}              | 修复{c}{t}未更新的问题
            Fix~{t} out of order {c}       | 修复{c}{t}顺序错误
            keep {t} {c}                   | {c}保留{t}
            do not drop {t} {c}            | {c}不再丢弃{t}
            Fix~crash on {t} {c}           | 修复{c}{t}导致的崩溃
            Fix~off-by-one in {t} {c}      | 修复{c}{t}边界错误
            Fix~wrong {t} {c}              | 修正{c}的{t}
            Fix~empty {t} {c}              | 修复{c}{t}为空的问题
            """
        ),
        "p": _pairs(
            """
            Fix~{t} hanging {c}            | 修复{c}{t}卡死的问题
            Fix~{t} failing silently {c}   | 修复{c}{t}静默失败
            Fix~{t} running twice {c}      | 修复{c}{t}重复执行
            Fix~race in {t} {c}            | 修复{c}{t}竞态
            Fix~memory leak in {t} {c}     | 修复{c}{t}内存泄漏
            Fix~{t} giving up too early {c} | 修复{c}{t}过早放弃
            do not block {t} {c}           | {c}不再阻塞{t}
            Fix~timeout in {t} {c}         | 修复{c}{t}超时
            log why {t} failed {c}         | {c}记录{t}失败原因
            """
        ),
        "s": _pairs(
            """
            Fix~{t} ignored {c}            | 修复{c}{t}不生效
            respect {t} {c}                | {c}遵循{t}
            Fix~wrong default of {t} {c}   | 修正{c}{t}默认值
            validate {t} {c}               | {c}校验{t}
            Fix~{t} applied too late {c}   | 修复{c}{t}生效过晚
            """
        ),
        "v": _pairs(
            """
            Fix~{t} flickering {c}         | 修复{c}{t}闪烁
            Fix~{t} cut off {c}            | 修复{c}{t}被截断
            Fix~{t} not refreshing {c}     | 修复{c}{t}不刷新
            Fix~selection lost in {t} {c}  | 修复{c}{t}选中状态丢失
            Fix~layout of {t} {c}          | 修复{c}{t}布局错位
            Fix~unreadable colours in {t} {c} | 修复{c}{t}颜色难以辨认
            Fix~focus order of {t} {c}     | 修复{c}{t}焦点顺序
            """
        ),
        "j": _pairs(
            """
            Fix~{t} failing {c}            | 修复{c}{t}失败
            Fix~wrong cache key in {t} {c} | 修复{c}{t}缓存键错误
            Fix~missing permission in {t} {c} | 修复{c}{t}缺少权限
            Fix~{t} timing out {c}         | 修复{c}{t}超时
            Fix~quoting in {t} {c}         | 修复{c}{t}引号问题
            """
        ),
        "k": _pairs(
            """
            Fix~{t} ignored {c}            | 修复{c}{t}不生效
            Fix~wrong default of {t} {c}   | 修正{c}{t}默认值
            Fix~quoting of {t} {c}         | 修复{c}{t}引号问题
            raise {t} {c}                  | {c}调高{t}
            """
        ),
    },
    "feat": {
        "d": _pairs(
            """
            filter {t} by mission          | 支持按任务筛选{t}
            export {t} as CSV              | 支持导出{t}
            show who changed {t}           | 显示{t}的修改人
            group {t} by ground station    | 支持按地面站汇总{t}
            check {t} on import            | 导入时校验{t}
            keep a history of {t}          | 保留{t}的历史记录
            record where {t} came from     | 记录{t}来源
            """
        ),
        "i": _pairs(
            """
            count {t} in the metrics       | 统计{t}指标
            log a summary of {t}           | 记录{t}摘要
            show {t} on the debug page     | 调试页显示{t}
            trace {t} across services      | 跨服务追踪{t}
            """
        ),
        "p": _pairs(
            """
            Add a~dry run for {t}          | {t}支持试运行
            Add~progress events for {t}    | {t}输出进度事件
            make {t} cancellable           | {t}支持取消
            resume {t} after a crash       | {t}支持断点续跑
            trace {t} with OpenTelemetry   | 为{t}接入链路追踪
            Add a~per-mission switch for {t} | 按任务开关{t}
            report the duration of {t}     | 上报{t}耗时
            """
        ),
        "s": _pairs(
            """
            set {t} per mission            | 支持按任务设置{t}
            hot-reload {t}                 | 支持热加载{t}
            show {t} in `orbit status`     | 在状态中显示{t}
            allow {t} from the environment | 支持用环境变量设置{t}
            """
        ),
        "v": _pairs(
            """
            Add~keyboard shortcuts for {t} | {t}支持快捷键
            Add a~compact layout for {t}   | {t}支持紧凑布局
            remember the state of {t}      | 记住{t}状态
            Add~deep links into {t}        | {t}支持直达链接
            Add a~print view of {t}        | {t}支持打印
            """
        ),
        "jk": _pairs(
            """
            make {t} configurable          | {t}可配置
            separate {t} for agents        | 站端单独设置{t}
            smoke test for {t}             | 为{t}增加冒烟测试
            """
        ),
    },
    "refactor": {
        "dpsvi": _pairs(
            """
            move {t} behind an interface   | 抽象{t}接口
            split `{file}` up              | 拆分 `{file}`
            simplify {t}                   | 简化{t}
            remove dead code around {t}    | 清理{t}废弃代码
            Use~strict types for {t}       | 为{t}补全类型
            Use~one code path for {t}      | 统一{t}代码路径
            """
        ),
        "p": _pairs(
            """
            pass the clock into {t}        | {t}改为注入时钟
            remove globals from {t}        | 去除{t}全局变量
            """
        ),
    },
    "perf": {
        "di": _pairs(
            """
            avoid copies of {t} {c}        | {c}减少{t}拷贝
            cache {t} {c}                  | {c}缓存{t}
            halve the memory of {t} {c}    | {c}{t}内存占用减半
            index {t} instead of scanning  | 为{t}建立索引
            """
        ),
        "p": _pairs(
            """
            speed up {t} {c}               | 加速{c}的{t}
            batch calls in {t} {c}         | {c}合并{t}调用
            Use~fewer allocations in {t}   | 减少{t}内存分配
            run {t} without the global lock | {t}不再占用全局锁
            """
        ),
        "v": _pairs(
            """
            avoid re-rendering {t} {c}     | {c}避免{t}重复渲染
            load {t} lazily {c}            | {c}延迟加载{t}
            """
        ),
    },
    "test": {
        "dpsvi": _pairs(
            """
            cover {t} {c}                  | 补充{c}{t}的测试
            Add~property tests for {t}     | 为{t}增加属性测试
            deflake {t}                    | 修复{t}不稳定测试
            avoid sleeps in tests of {t}    | 去除{t}测试中的等待
            cut the test time of {t}       | 缩短{t}测试时间
            """
        )
    },
    "docs": {
        "dpsvijk": _pairs(
            """
            document {t}                   | 补充{t}文档
            explain {t} with an example    | 用示例说明{t}
            describe {t} {c}               | 说明{c}的{t}
            add a diagram of {t}           | 增加{t}示意图
            Add~troubleshooting of {t} {c} | 补充{c}{t}排障说明
            """
        ),
        "g": _pairs(
            """
            update {t}                     | 更新{t}
            extend {t} {c}                 | 扩充{t}（{c}）
            Fix~typos in {t}               | 修正{t}错别字
            Fix~dead links in {t}          | 修复{t}失效链接
            rewrite {t} {c}                | 重写{t}（{c}）
            Add~new screenshots to {t}     | 更新{t}截图
            add the missing steps to {t}   | 补全{t}步骤
            """
        ),
    },
    "ci": {
        "j": _pairs(
            """
            cache downloads in {t}         | {t}缓存依赖下载
            split {t} in two               | 拆分{t}
            pin the actions of {t}         | 固定{t}的版本
            skip {t} {c}                   | {c}跳过{t}
            run {t} {c}                    | {c}运行{t}
            keep the logs of {t}           | 保留{t}日志
            Set a~shorter timeout for {t}  | 缩短{t}超时
            retry {t} once {c}             | {c}{t}失败重试一次
            """
        )
    },
    "build": {
        "j": _pairs(
            """
            Use~smaller layers in {t}      | 缩小{t}体积
            Use a~non-root user in {t}     | {t}使用非特权用户
            pin the base of {t}            | 固定{t}基础版本
            Add~multi-arch builds of {t}   | {t}支持多架构
            """
        ),
        "k": _pairs(
            """
            lint {t} in the chart          | 检查{t}模板
            move {t} to the shared values  | {t}移入公共配置
            """
        ),
    },
    "chore": {
        "dpsvi": _pairs(
            """
            tidy the log lines of {t}      | 整理{t}日志
            silence a warning in {t}       | 消除{t}告警
            remove a stale comment on {t}  | 删除{t}过期注释
            move constants of {t} to one place | 集中{t}常量
            """
        ),
        "jk": _pairs(
            """
            tidy {t}                       | 整理{t}
            remove leftovers from {t}      | 清理{t}残留
            """
        ),
    },
    "breaking": {
        "dpsvi": _pairs(
            """
            drop the old format of {t}     | 移除{t}旧格式
            rename the fields of {t}       | 重命名{t}字段
            remove deprecated options of {t} | 移除{t}废弃选项
            require a mission id for {t}   | {t}必须指定任务
            raise one error type from {t}  | 统一{t}错误类型
            """
        )
    },
}
NEW_FEATURE = _pairs(
    """
    support {t}             | 支持{t}
    add {t}                 | 新增{t}
    Add a~first cut of {t}  | {t}初版
    """
)
QUALIFIERS = (
    ("shared", "共享"),
    ("staged", "分阶段"),
    ("regional", "分区域"),
    ("nightly", "夜间"),
    ("signed", "签名"),
    ("cached", "缓存"),
    ("partial", "部分"),
)
KIND_ZH = {
    "fix": "修复",
    "feat": "功能",
    "refactor": "重构",
    "perf": "性能",
    "test": "测试",
    "docs": "文档",
    "ci": "流水线",
    "build": "构建",
    "chore": "杂项",
}
EMOJI = {
    "fix": "\N{BUG}",
    "feat": "\N{SPARKLES}",
    "refactor": "\N{BLACK UNIVERSAL RECYCLING SYMBOL}\N{VARIATION SELECTOR-16}",
    "perf": "\N{HIGH VOLTAGE SIGN}",
    "test": "\N{TEST TUBE}",
    "docs": "\N{MEMO}",
    "ci": "\N{CONSTRUCTION WORKER}",
    "build": "\N{PACKAGE}",
    "chore": "\N{BROOM}",
}
