//! The only questions that git is asked.
//!
//! Each of them looks at objects, names or settings. None looks at a file of the work tree, so none
//! has a reason to run a filter, a converter, a monitor or a hook; none reads or writes an index;
//! and none fetches, because no transport is allowed.

/// A question: a subcommand with its fixed options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(
    not(unix),
    expect(dead_code, reason = "some are asked for attest's own reader")
)]
pub(crate) enum Ask {
    /// The value of `safe.directory` outside any repository.
    SafeDirectories,
    /// Every setting with its value.
    Settings,
    /// The value of one setting, read as a path.
    PathSetting,
    /// The top of the work tree, and the folder that all work trees share.
    Folders,
    /// The branch that HEAD names.
    Branch,
    /// The commit that HEAD leads to.
    Head,
    /// The commit that a revision leads to.
    Revision,
    /// The best common ancestors of two commits.
    MergeBases,
    /// Branches and the stash.
    Refs,
    /// What objects are, asked one by one.
    Kinds,
    /// The contents of objects, asked one by one.
    Contents,
    /// Whether a commit that is reachable from any name touches a path.
    EverTouched,
    /// The paths that commits reachable from any name or reflog touched.
    Touched,
    /// What differs in the work tree. Filters have to be off.
    #[cfg(not(unix))]
    Status,
    /// The names in the index.
    #[cfg(not(unix))]
    Names,
    /// The names in a tree.
    #[cfg(not(unix))]
    Tree,
}

impl Ask {
    /// The table of commands, and why each runs nothing else.
    pub(super) const fn words(self) -> &'static [&'static str] {
        match self {
            // `config` only reads settings files; a value is never run.
            Self::SafeDirectories => {
                &["config", "-z", "--type=path", "--get-all", "safe.directory"]
            }
            Self::Settings => &["config", "-z", "--list"],
            Self::PathSetting => &["config", "-z", "--type=path", "--get"],
            // With these options `rev-parse` only looks for folders and names.
            Self::Folders => &[
                "rev-parse",
                "--path-format=absolute",
                "--show-toplevel",
                "--git-common-dir",
            ],
            Self::Head => &["rev-parse", "--verify", "--quiet", "HEAD^{commit}"],
            Self::Revision => &["rev-parse", "--verify", "--quiet"],
            // Only commits are read.
            Self::MergeBases => &["merge-base", "--all"],
            // Both read the files of refs, or their tables.
            Self::Branch => &["symbolic-ref", "--quiet", "HEAD"],
            Self::Refs => &[
                "for-each-ref",
                "--format=%(objectname) %(refname)",
                "refs/heads",
                "refs/remotes",
                "refs/stash",
            ],
            // Without `--textconv` and `--filters`, an object is printed as it is stored.
            Self::Kinds => &["cat-file", "--batch-check"],
            Self::Contents => &["cat-file", "--batch"],
            // Only trees are compared.
            Self::EverTouched => &["rev-list", "--all", "--max-count=1", "--"],
            // Without patches no program is asked for one, and nothing is converted.
            Self::Touched => &[
                "log",
                "--all",
                "--reflog",
                "--root",
                "--diff-merges=separate",
                "--no-renames",
                "--no-ext-diff",
                "--no-textconv",
                "--no-color",
                "--name-only",
                "--format=",
                "-z",
            ],
            #[cfg(not(unix))]
            Self::Status => &[
                "status",
                "--porcelain=v2",
                "-z",
                "--no-renames",
                "--ignore-submodules=all",
                "--untracked-files=all",
                "--ignored=matching",
            ],
            #[cfg(not(unix))]
            Self::Names => &["ls-files", "-z", "-t", "--stage"],
            #[cfg(not(unix))]
            Self::Tree => &["ls-tree", "-r", "-z", "--full-tree"],
        }
    }

    /// Exit statuses that are answers. 1 means that there is no such thing.
    pub(super) const fn accepted(self) -> &'static [i32] {
        match self {
            Self::SafeDirectories
            | Self::PathSetting
            | Self::Branch
            | Self::Head
            | Self::Revision
            | Self::MergeBases => &[0, 1],
            _ => &[0],
        }
    }

    /// The subcommand.
    pub(super) fn command(self) -> &'static str {
        self.words().first().copied().unwrap_or_default()
    }
}
