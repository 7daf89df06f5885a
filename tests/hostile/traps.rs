//! Every setting by which git can be led to run a program, or to write.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::canary::plant;
use crate::common::TestContext;

/// Settings, and a git command that springs the trap where one can be given that needs neither a
/// terminal nor a network: it shows that the trap is one. `{program}` leaves a mark, `{hooks}` is a
/// folder with all hooks, `{file}` is a configuration, `{attributes}` are attributes of all files.
pub(crate) type Trap = (
    &'static [(&'static str, &'static str)],
    &'static [&'static str],
);

pub(crate) const TRAPS: &[Trap] = &[
    // What runs while the work tree is read.
    (&[("core.fsmonitor", "{program}")], &["status"]),
    (
        &[
            ("core.fsmonitor", "{program}"),
            ("core.fsmonitorHookVersion", "1"),
        ],
        &["status"],
    ),
    (&[("core.fsmonitor", "true")], &[]),
    (
        &[("core.hooksPath", "{hooks}")],
        &["commit", "--allow-empty", "-mx"],
    ),
    (
        &[
            ("hook.mark.command", "{program}"),
            ("hook.mark.event", "post-index-change"),
        ],
        &[],
    ),
    (&[("filter.mark.clean", "{program}")], &["add", "x.bin"]),
    (
        &[("filter.mark.smudge", "{program}")],
        &["cat-file", "--filters", "HEAD:x.bin"],
    ),
    (
        &[("filter.mark.process", "{program}")],
        &["cat-file", "--filters", "HEAD:x.bin"],
    ),
    (
        &[
            ("filter.mark.clean", "{program}"),
            ("filter.mark.required", "true"),
        ],
        &["add", "x.bin"],
    ),
    (
        &[
            ("core.attributesFile", "{attributes}"),
            ("filter.all.clean", "{program}"),
        ],
        &["add", "--renormalize", "a.py"],
    ),
    // What runs while something is shown.
    (&[("diff.external", "{program}")], &["diff"]),
    (&[("diff.mark.command", "{program}")], &["diff"]),
    (&[("diff.mark.textconv", "{program}")], &["diff"]),
    (
        &[
            ("diff.mark.textconv", "{program}"),
            ("diff.mark.cachetextconv", "true"),
        ],
        &["cat-file", "--textconv", "HEAD:x.bin"],
    ),
    (&[("core.pager", "{program}")], &[]),
    (
        &[("pager.status", "{program}"), ("pager.config", "{program}")],
        &[],
    ),
    (
        &[
            ("pager.cat-file", "{program}"),
            ("pager.rev-parse", "{program}"),
        ],
        &[],
    ),
    (
        &[
            ("interactive.diffFilter", "{program}"),
            ("color.ui", "always"),
        ],
        &["add", "--patch"],
    ),
    (
        &[("difftool.mark.cmd", "{program}")],
        &["difftool", "--no-prompt", "--tool=mark"],
    ),
    (
        &[("diff.tool", "mark"), ("difftool.mark.path", "{program}")],
        &[],
    ),
    (
        &[("mergetool.mark.cmd", "{program}"), ("merge.tool", "mark")],
        &[],
    ),
    (&[("guitool.mark.cmd", "{program}")], &[]),
    (
        &[("tar.mark.command", "{program}")],
        &["archive", "--format=mark", "HEAD"],
    ),
    (
        &[("trailer.mark.command", "{program}")],
        &["interpret-trailers"],
    ),
    (
        &[("trailer.mark.cmd", "{program}")],
        &["interpret-trailers", "--trailer=mark=x"],
    ),
    (
        &[
            ("help.format", "man"),
            ("man.viewer", "mark"),
            ("man.mark.cmd", "{program}"),
        ],
        &["help", "status"],
    ),
    (
        &[("man.viewer", "mark"), ("man.mark.path", "{program}")],
        &[],
    ),
    (
        &[
            ("help.format", "web"),
            ("web.browser", "mark"),
            ("browser.mark.cmd", "{program}"),
        ],
        &[],
    ),
    (
        &[
            ("browser.mark.path", "{program}"),
            ("instaweb.httpd", "{program}"),
        ],
        &[],
    ),
    // Editors, and what joins or rewrites.
    (&[("core.editor", "{program}")], &["commit", "--amend"]),
    (
        &[("sequence.editor", "{program}")],
        &["rebase", "--autostash", "-i", "--root"],
    ),
    (
        &[
            ("merge.mark.driver", "{program}"),
            ("merge.default", "mark"),
        ],
        &[],
    ),
    (&[("gc.recentObjectsHook", "{program}")], &[]),
    (
        &[
            ("gc.auto", "1"),
            ("gc.autoDetach", "false"),
            ("maintenance.auto", "true"),
        ],
        &[],
    ),
    // Signatures. HEAD is signed.
    (
        &[("gpg.program", "{program}"), ("log.showSignature", "true")],
        &["log"],
    ),
    (
        &[
            ("gpg.openpgp.program", "{program}"),
            ("log.showSignature", "true"),
        ],
        &["log"],
    ),
    (
        &[("gpg.program", "{program}"), ("commit.gpgSign", "true")],
        &["commit", "--allow-empty", "-mx"],
    ),
    (
        &[("gpg.format", "x509"), ("gpg.x509.program", "{program}")],
        &["commit", "--gpg-sign=x", "--allow-empty", "-mx"],
    ),
    (
        &[("gpg.format", "ssh"), ("gpg.ssh.program", "{program}")],
        &["commit", "--gpg-sign=key::x", "--allow-empty", "-mx"],
    ),
    (
        &[
            ("gpg.format", "ssh"),
            ("gpg.ssh.defaultKeyCommand", "{program}"),
        ],
        &["commit", "--gpg-sign", "--allow-empty", "-mx"],
    ),
    (
        &[
            ("gpg.ssh.revocationFile", "{file}"),
            ("gpg.ssh.allowedSignersFile", "{file}"),
        ],
        &[],
    ),
    // Names of commands.
    (&[("alias.mark", "!{program}")], &["mark"]),
    (
        &[
            ("alias.rev-parse", "!{program}"),
            ("alias.cat-file", "!{program}"),
        ],
        &[],
    ),
    (
        &[
            ("alias.config", "!{program}"),
            ("alias.for-each-ref", "!{program}"),
        ],
        &[],
    ),
    // Configurations that bring others.
    (&[("include.path", "{file}")], &["status"]),
    (&[("includeIf.gitdir:**.path", "{file}")], &["status"]),
    (&[("includeIf.gitdir/i:**.path", "{file}")], &["status"]),
    (&[("includeIf.onbranch:**.path", "{file}")], &["status"]),
    (
        &[
            ("remote.origin.url", "https://example.invalid/x"),
            ("includeIf.hasconfig:remote.*.url:https://**.path", "{file}"),
        ],
        &["status"],
    ),
    // Transports.
    (
        &[("core.sshCommand", "{program}")],
        &["ls-remote", "ssh://example.invalid/x"],
    ),
    (
        &[("core.gitProxy", "{program}")],
        &["ls-remote", "git://example.invalid/x"],
    ),
    (&[("core.askPass", "{program}")], &["credential", "fill"]),
    (
        &[("credential.helper", "{program}")],
        &["credential", "fill"],
    ),
    (
        &[("credential.helper", "!{program}")],
        &["credential", "fill"],
    ),
    (
        &[("credential.https://example.invalid.helper", "!{program}")],
        &["credential", "fill"],
    ),
    (
        &[
            ("remote.origin.url", "ext::{program} x"),
            ("protocol.ext.allow", "always"),
        ],
        &["ls-remote", "origin"],
    ),
    (
        &[
            ("url.ext::{program} .insteadOf", "https:"),
            ("protocol.ext.allow", "always"),
        ],
        &["ls-remote", "https:x"],
    ),
    (
        &[
            ("remote.origin.url", "."),
            ("remote.origin.uploadpack", "{program}"),
        ],
        &["ls-remote", "origin"],
    ),
    (
        &[
            ("remote.origin.url", "."),
            ("remote.origin.receivepack", "{program}"),
        ],
        &["push", "origin", "HEAD:refs/heads/other"],
    ),
    (
        &[
            ("remote.origin.vcs", "ext"),
            ("remote.origin.url", "{program} x"),
            ("protocol.allow", "always"),
        ],
        &["ls-remote", "origin"],
    ),
    (&[("uploadpack.packObjectsHook", "{program}")], &[]),
    (&[("core.alternateRefsCommand", "{program}")], &[]),
    (
        &[
            ("submodule.module.update", "!{program}"),
            ("submodule.recurse", "true"),
        ],
        &[],
    ),
    (
        &[
            ("status.submoduleSummary", "true"),
            ("diff.submodule", "diff"),
        ],
        &[],
    ),
    (
        &[
            ("sendemail.smtpServer", "{program}"),
            ("sendemail.toCmd", "{program}"),
        ],
        &[],
    ),
    (
        &[
            ("sendemail.sendmailCmd", "{program}"),
            ("imap.tunnel", "{program}"),
        ],
        &[],
    ),
    (
        &[
            ("lfs.customtransfer.mark.path", "{program}"),
            ("lfs.extension.mark.clean", "{program}"),
        ],
        &[],
    ),
    // What makes git write where it can.
    (
        &[
            ("core.untrackedCache", "true"),
            ("feature.manyFiles", "true"),
        ],
        &[],
    ),
    (
        &[("core.splitIndex", "true"), ("index.threads", "true")],
        &[],
    ),
    (
        &[
            ("core.logAllRefUpdates", "always"),
            ("core.sharedRepository", "0777"),
        ],
        &[],
    ),
];

/// All hooks that git has (see githooks(5)).
pub(crate) const HOOKS: &[&str] = &[
    "applypatch-msg",
    "pre-applypatch",
    "post-applypatch",
    "pre-commit",
    "pre-merge-commit",
    "prepare-commit-msg",
    "commit-msg",
    "post-commit",
    "pre-rebase",
    "post-checkout",
    "post-merge",
    "pre-push",
    "pre-receive",
    "update",
    "proc-receive",
    "post-receive",
    "post-update",
    "reference-transaction",
    "push-to-checkout",
    "pre-auto-gc",
    "post-rewrite",
    "sendemail-validate",
    "fsmonitor-watchman",
    "query-watchman",
    "p4-changelist",
    "p4-prepare-changelist",
    "p4-post-changelist",
    "p4-pre-submit",
    "post-index-change",
];

/// What the traps name.
pub(crate) struct Bait {
    pub(crate) program: PathBuf,
    pub(crate) hooks: PathBuf,
    file: PathBuf,
    attributes: PathBuf,
}

impl Bait {
    pub(crate) fn lay(context: &TestContext) -> Self {
        let at = |name: &str| context.folder().join(name);
        let bait = Self {
            program: at("program"),
            hooks: at("hooks"),
            file: at("included"),
            attributes: at("attributes"),
        };
        plant(context, &bait.program);
        for hook in HOOKS {
            plant(context, &bait.hooks.join(hook));
        }
        let text = format!("[core]\n\tfsmonitor = {}\n", bait.program.display());
        fs::write(&bait.file, text).unwrap();
        fs::write(&bait.attributes, "* filter=all\n").unwrap();
        bait
    }

    pub(crate) fn fill(&self, text: &str) -> String {
        [
            ("{program}", &self.program),
            ("{hooks}", &self.hooks),
            ("{file}", &self.file),
            ("{attributes}", &self.attributes),
        ]
        .iter()
        .fold(text.to_owned(), |text, (name, path)| {
            text.replace(name, path.to_str().unwrap())
        })
    }

    /// Puts a trap into a file of settings.
    pub(crate) fn set(&self, file: &Path, (settings, _): &Trap) {
        let lines = settings.iter().map(|(key, value)| self.line(key, value));
        let text = lines.collect::<String>();
        let mut file = fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(file)
            .unwrap();
        file.write_all(text.as_bytes()).unwrap();
    }

    /// Puts all of them there at once.
    pub(crate) fn set_all(&self, file: &Path) {
        for trap in TRAPS {
            self.set(file, trap);
        }
    }

    /// A setting as it stands in a file of git.
    fn line(&self, key: &str, value: &str) -> String {
        let (key, value) = (self.fill(key), self.fill(value));
        let (section, rest) = key.split_once('.').unwrap();
        let value = quoted(&value);
        match rest.rsplit_once('.') {
            Some((part, name)) => format!("[{section} {}]\n\t{name} = {value}\n", quoted(part)),
            None => format!("[{section}]\n\t{rest} = {value}\n"),
        }
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
