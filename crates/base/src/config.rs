//! What the variables mean. A value that cannot be read is the default, and is remembered for the log.

mod reader;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use attest_checklist::Names;
use attest_host::Host;
use attest_snapshot::{Budget, DEFAULT_MAX_HASH_BYTES, Limits};
use attest_verdict::Policy;

use crate::env::{self, Env};
use crate::export::Export;
use crate::log::{Level, Log};
use crate::own_settings::OwnSettings;
use crate::ui::Ui;

use reader::Reader;
pub use reader::{leaves_default, variable_of};

/// What a stop hook may take where nobody says otherwise.
pub const STOP_DEADLINE: Duration = Duration::from_secs(20);
/// What a start hook may take then: half of that.
pub const START_DEADLINE: Duration = Duration::from_secs(10);
/// How many times as long as a stop hook a command may take to read a repository: nobody waits for it but a person.
const COMMAND_PATIENCE: u32 = 6;
/// The most blocks of an agent generation, whoever asks for more.
const MOST_RETRIES: u32 = 10;
/// The most blocks of a session in a repository.
const MOST_BLOCKS: u32 = 100;
/// Megabytes that the state may take.
const STATE_MAX_MB: u64 = 100;
/// What a hook is left to say that its time is over, where the host has the last word on that.
const LAST_WORDS: Duration = Duration::from_secs(2);
/// The longest deadline that can be set; a host has given up long before.
const LONGEST_DEADLINE: Duration = Duration::from_hours(1);

/// The settings of one run.
#[derive(Debug, Clone)]
pub struct Config {
    /// What a stop is judged by.
    pub policy: Policy,
    /// The largest file whose content is compared.
    pub max_hash_bytes: u64,
    /// Whether findings are told to the person and to the parent agent.
    pub advise: bool,
    /// Whether reports are checked against their transcripts as well.
    pub deliverables: bool,
    /// Whether subagents are asked for a report that can be judged, if that was said.
    pub asks: Option<bool>,
    /// `None` where there is neither a variable nor a home folder.
    pub state_db: Option<PathBuf>,
    /// Bytes of the state above which the oldest of it is let go.
    pub most_state: u64,
    /// The person's home folder.
    pub home: Option<PathBuf>,
    /// The folder for temporary files.
    pub temporary: PathBuf,
    /// The folder of the log and of captures.
    pub folder: Option<PathBuf>,
    /// The database of CAST, which need not exist.
    pub cast_db: Option<PathBuf>,
    /// Where captures go, when they are wanted.
    pub capture_dir: Option<PathBuf>,
    /// What the commands of criteria get besides what all get.
    pub check_names: Names,
    /// The variables of the commands of criteria, where those are checked when an agent stops.
    pub check_environment: Option<Vec<(OsString, OsString)>>,
    /// Whether turns of main agents are judged; `None` leaves it to the host.
    pub sessions: Option<bool>,
    /// The programs of the person that are asked as well.
    pub gates: Gates,
    /// Where verdicts go as well, as the person's settings say.
    pub export: Option<Export>,
    /// What is not graver is not logged.
    pub log_level: Level,
    /// How long the hook at a start may take.
    pub start_deadline: Duration,
    /// How long the hook at a stop may take.
    pub stop_deadline: Duration,
    /// How long a command may take.
    pub command_deadline: Duration,
    /// Variables that could not be read, and why.
    pub complaints: Vec<String>,
}

/// The programs that are asked about each stop.
#[derive(Debug, Clone, Default)]
pub struct Gates {
    /// Absolute, in the order of their priority.
    pub programs: Vec<PathBuf>,
    /// The variables that they get, if there are any.
    pub environment: Vec<(OsString, OsString)>,
}

impl Config {
    /// Reads the settings for a command of a person, who is told of every value that cannot be read.
    pub fn of_command(ui: &mut Ui, env: &Env) -> Self {
        let config = Self::read(env);
        for complaint in OwnSettings::read(env).complaints() {
            ui.warn(&complaint);
        }
        for refused in &env.refused {
            ui.warn(&refused.to_string());
        }
        for complaint in &config.complaints {
            ui.warn(complaint);
        }
        config
    }

    /// The log, for lines of `topic`.
    #[must_use]
    pub fn log(&self, topic: &'static str) -> Log {
        Log::new(self.folder.as_deref(), self.log_level, topic)
    }

    /// Reads the settings. Whoever does so says the complaints where they are heard.
    pub fn read(env: &Env) -> Self {
        let mut reader = Reader {
            env,
            complaints: Vec::new(),
        };
        let home = env.home();
        let folder = home.as_ref().map(|home| home.join(".attest"));
        let defaults = Policy::default();
        let policy = Policy {
            enforce: env.text(env::ENFORCE) == Some("1"),
            agents: env.text(env::ENFORCE_AGENTS).and_then(agent_types),
            strict: reader.parsed(env::STRICT, defaults.strict),
            criteria_send_back: env.text(env::CHECK) == Some("block"),
            max_retries: reader.at_most(env::MAX_RETRIES, MOST_RETRIES, defaults.max_retries),
            session_ceiling: reader.at_most(
                env::SESSION_BLOCK_CEILING,
                MOST_BLOCKS,
                defaults.session_ceiling,
            ),
        };
        let in_folder = |name: &str| folder.as_ref().map(|folder| folder.join(name));
        let capture_dir = match env.text(env::CAPTURE) {
            Some("1") => reader.absolute(env::CAPTURE_DIR).or(in_folder("captures")),
            _ => None,
        };
        let check_names = reader.parsed(env::CHECK_ENV, Names::default());
        let gates = reader.gates(&check_names);
        let advise = env.text(env::ADVISE) != Some("0");
        let stop_deadline = reader.seconds(env::STOP_DEADLINE, STOP_DEADLINE);
        Self {
            policy,
            advise,
            asks: env.text(env::ASK).map(|text| text == "1"),
            deliverables: advise && env.text(env::VERIFY_DELIVERABLES_DISABLED) != Some("1"),
            max_hash_bytes: reader.number(env::MAX_HASH_BYTES, DEFAULT_MAX_HASH_BYTES),
            state_db: reader.absolute(env::STATE_DB).or(in_folder("state.db")),
            most_state: reader
                .number(env::STATE_MAX_MB, STATE_MAX_MB)
                .saturating_mul(1_000_000),
            cast_db: reader
                .absolute(env::CAST_DB_PATH)
                .or(home.as_ref().map(|home| home.join(".claude/cast.db"))),
            capture_dir,
            // With a PATH of the project its commands may not be found, which is no fault of the agent.
            check_environment: (matches!(env.text(env::CHECK), Some("1" | "block"))
                && env.refused.iter().all(|it| it.name != env::PATH))
            .then(|| check_names.of(env.variables())),
            check_names,
            sessions: reader.read(env::SESSIONS, None, |text| match text {
                "1" => Ok(Some(true)),
                "0" => Ok(Some(false)),
                _ => Err("expected 0 or 1".to_owned()),
            }),
            gates,
            export: None,
            log_level: reader.parsed(env::LOG, Level::Warn),
            start_deadline: stop_deadline / 2,
            stop_deadline,
            command_deadline: stop_deadline.saturating_mul(COMMAND_PATIENCE),
            complaints: reader.complaints,
            temporary: env
                .path(env::TMPDIR)
                .filter(|path| path.is_absolute())
                .unwrap_or_else(temporary),
            home,
            folder,
        }
    }

    /// The same for the hooks of this host: one that ends them at a time which nobody can change is left the end of
    /// that time.
    #[must_use]
    pub fn within(self, host: &dyn Host) -> Self {
        let most = |verbs: [&str; 2]| {
            let fixed = |verb| host.wiring().fixed_timeout(verb);
            let granted = verbs.into_iter().filter_map(fixed).min();
            granted.map_or(LONGEST_DEADLINE, |seconds| {
                Duration::from_secs(u64::from(seconds)).saturating_sub(LAST_WORDS)
            })
        };
        Self {
            start_deadline: self.start_deadline.min(most(["start", "prompt"])),
            stop_deadline: self.stop_deadline.min(most(["stop", "session-stop"])),
            ..self
        }
    }

    /// Whether the turns of main agents are judged.
    pub fn judges_turns(&self, host: &dyn Host) -> bool {
        self.sessions.unwrap_or_else(|| host.profile().judges_turns)
    }

    /// How much work reading a work tree may be.
    #[must_use]
    pub fn limits(&self, deadline: Option<Instant>) -> Limits {
        Limits {
            max_hash_bytes: self.max_hash_bytes,
            budget: Budget::until(deadline),
            own_files: self.own_files(),
            home: self.home.clone(),
            trusted: self.home.iter().chain([&self.temporary]).cloned().collect(),
        }
    }

    /// A home folder that is a repository holds what attest itself writes.
    fn own_files(&self) -> Vec<PathBuf> {
        // Work trees are known by their resolved names.
        let mut files: Vec<_> = self.folder.iter().map(|path| resolved(path)).collect();
        if let Some(state_db) = self.state_db.as_deref().map(resolved) {
            for suffix in ["", "-wal", "-shm"] {
                let mut name = state_db.clone().into_os_string();
                name.push(suffix);
                files.push(PathBuf::from(name));
            }
        }
        files
    }
}

/// Where temporary files are unless the person says so.
fn temporary() -> PathBuf {
    if cfg!(windows) {
        std::env::temp_dir()
    } else {
        PathBuf::from("/tmp")
    }
}

/// The types in a comma list, lower-case; `None`, which is all, where it names none.
fn agent_types(list: &str) -> Option<BTreeSet<String>> {
    let names = list.split(',').map(|name| name.trim().to_lowercase());
    let names: BTreeSet<_> = names.filter(|name| !name.is_empty()).collect();
    (!names.is_empty()).then_some(names)
}

fn resolved(path: &Path) -> PathBuf {
    match (
        path.parent().map(attest_snapshot::canonical),
        path.file_name(),
    ) {
        (Some(Ok(folder)), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_enforces() {
        for value in ["0", "true", "yes", " 1", "1 ", "11"] {
            let config = Config::read(&Env::from([(env::ENFORCE, value)]));
            assert!(!config.policy.enforce, "{value:?}");
        }
        assert!(
            Config::read(&Env::from([(env::ENFORCE, "1")]))
                .policy
                .enforce
        );
    }

    #[test]
    fn a_host_with_times_of_its_own_ends_no_hook_before_it_ends_itself() {
        let host = |name| attest_host::hosts::named(name).unwrap();
        let times = |stop: &str, name| {
            let config = Config::read(&Env::from([(env::STOP_DEADLINE, stop)])).within(host(name));
            (config.start_deadline, config.stop_deadline)
        };
        let seconds = Duration::from_secs;
        assert_eq!(times("", "openclaw"), (START_DEADLINE, seconds(12)));
        assert_eq!(times("40", "openclaw"), (seconds(12), seconds(12)));
        assert_eq!(times("4", "openclaw"), (seconds(2), seconds(4)));
        assert_eq!(times("40", "opencode"), (seconds(20), seconds(28)));
        // There the person can give the entry more time as well.
        assert_eq!(times("40", "codex"), (seconds(20), seconds(40)));
        assert_eq!(times("", "codex"), (START_DEADLINE, STOP_DEADLINE));
    }

    #[test]
    fn either_variable_turns_the_advice_off() {
        let of = |pairs: [(&str, &str); 1]| {
            let config = Config::read(&Env::from(pairs));
            (config.advise, config.deliverables)
        };
        assert_eq!(of([("HOME", "/home/user")]), (true, true));
        assert_eq!(of([(env::ADVISE, "0")]), (false, false));
        assert_eq!(of([(env::ADVISE, "no")]), (true, true));
        assert_eq!(
            of([(env::VERIFY_DELIVERABLES_DISABLED, "1")]),
            (true, false)
        );
        assert_eq!(of([(env::VERIFY_DELIVERABLES_DISABLED, "0")]), (true, true));
    }

    #[test]
    fn unreadable_values_are_the_default_and_a_complaint() {
        let config = Config::read(&Env::from([
            (env::MAX_RETRIES, "-1"),
            (env::STRICT, "everything"),
            (env::STATE_DB, "state.db"),
            (env::STOP_DEADLINE, "nan"),
            (env::CHECK_ENV, "*"),
            ("HOME", "/home/user"),
        ]));
        assert_eq!(config.policy, Policy::default());
        assert_eq!(config.state_db, Some("/home/user/.attest/state.db".into()));
        assert_eq!(config.stop_deadline, STOP_DEADLINE);
        assert_eq!(config.complaints.len(), 5, "{:?}", config.complaints);
    }

    #[test]
    fn the_turns_are_the_hosts_to_decide_unless_the_person_says() {
        let of = |value| {
            let config = Config::read(&Env::from([(env::SESSIONS, value)]));
            (config.sessions, config.complaints.len())
        };
        assert_eq!(of("1"), (Some(true), 0));
        assert_eq!(of("0"), (Some(false), 0));
        assert_eq!(of(""), (None, 0));
        assert_eq!(of("yes"), (None, 1));
    }

    #[cfg(unix)]
    #[test]
    fn gates_are_absolute_paths_in_the_order_of_the_person() {
        let variables = [
            (env::GATES, "/b/gate::gate:~/a gate"),
            ("HOME", "/home/user"),
            ("SECRET", "x"),
        ];
        let config = Config::read(&Env::from(variables));
        let expected = ["/b/gate", "/home/user/a gate"].map(PathBuf::from);
        assert_eq!(config.gates.programs, expected);
        assert_eq!(config.complaints.len(), 1, "{:?}", config.complaints);
        let names = config.gates.environment.iter().map(|(name, _)| name);
        assert_eq!(names.collect::<Vec<_>>(), ["HOME"]);
    }

    #[test]
    fn a_list_of_types_that_names_none_means_all() {
        for list in [" , ", ",", " ", ""] {
            let config = Config::read(&Env::from([(env::ENFORCE_AGENTS, list)]));
            assert_eq!(config.policy.agents, None, "{list:?}");
        }
    }

    #[test]
    fn agent_types_are_case_folded() {
        let config = Config::read(&Env::from([(
            env::ENFORCE_AGENTS,
            "Explore, general-Purpose,",
        )]));
        let agents = config.policy.agents.unwrap();
        assert_eq!(
            agents.into_iter().collect::<Vec<_>>(),
            ["explore", "general-purpose"]
        );
    }
}
