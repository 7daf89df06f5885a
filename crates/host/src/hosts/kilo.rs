//! Kilo, which began as `OpenCode` and runs its plugins, observed in 7.7.7: the same page, in another folder.

use attest_evidence::Printable;
use attest_json::Object;
use attest_transcript::Form;

use super::opencode::{self, OpenCode};
use crate::host::{Executable, Host, SampleAgent, Support, Tried, Version};
use crate::payload::Payload;
use crate::settings::{OwnedFile, OwnedFolder, Package, Wiring};

/// Kilo.
pub(super) struct Kilo;

static EXECUTABLE: Executable = Executable {
    title: "Kilo",
    name: "kilo",
    support: Support::Tested(Tried {
        least: Version(7, 7, 7),
        newest: Version(7, 7, 7),
        fault: None,
    }),
};

const PAGE: OwnedFile = OwnedFile {
    name: "attest.js",
    template: concat!(
        include_str!("kilo/head.js"),
        include_str!("opencode/attest.js"),
        include_str!("program.js")
    ),
    head: "// attest's hooks for Kilo.",
    hooks: opencode::HOOKS,
};

/// What the host's own command installs.
static PACKAGE: Package = Package {
    files: &[
        PAGE,
        OwnedFile {
            name: "package.json",
            template: include_str!("kilo/package.json"),
            head: "{\n  \"name\": \"attest-kilo\",",
            hooks: &[],
        },
        OwnedFile {
            name: "README.md",
            template: include_str!("kilo/README.md"),
            head: "# attest for Kilo\n",
            hooks: &[],
        },
    ],
    has_launcher: false,
};

static PLUGIN: OwnedFolder = OwnedFolder {
    harness: "kilo",
    variable: Some("KILO_CONFIG_DIR"),
    folder: ".config/kilo",
    inside: "plugin",
    project: Some(".kilo/plugin"),
    is_own: false,
    files: &[PAGE],
    hooks: opencode::HOOKS,
};

impl Host for Kilo {
    fn name(&self) -> &'static str {
        "kilo"
    }

    fn executable(&self) -> &'static Executable {
        &EXECUTABLE
    }

    fn wiring(&self) -> &'static dyn Wiring {
        &PLUGIN
    }

    fn package(&self) -> Option<&'static Package> {
        Some(&PACKAGE)
    }

    fn payload(&self, sent: &Object<'_>) -> Payload {
        OpenCode.payload(sent)
    }

    fn transcripts(&self) -> &'static [&'static dyn Form] {
        OpenCode.transcripts()
    }

    fn block(&self, payload: &Payload, reason: &Printable) -> String {
        OpenCode.block(payload, reason)
    }

    fn notice(&self, payload: &Payload, text: &Printable) -> Option<String> {
        OpenCode.notice(payload, text)
    }

    fn context(&self, payload: &Payload, text: &Printable) -> Option<String> {
        OpenCode.context(payload, text)
    }

    fn judges_turns(&self) -> bool {
        true
    }

    fn sample(&self, agent: &SampleAgent<'_>) -> String {
        OpenCode.sample(agent)
    }

    fn is_block(&self, reply: &str) -> bool {
        OpenCode.is_block(reply)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plugin_calls_with_the_name_of_its_own_host() {
        let name = "const HARNESS = \"kilo\";";
        assert!(PAGE.template.contains(name));
        assert!(!PAGE.template.contains("\"opencode\""));
    }
}
