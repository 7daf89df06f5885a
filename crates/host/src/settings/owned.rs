//! Files that are attest's own, for a host that loads a plugin instead of running a command line.

use std::path::PathBuf;

use super::json_file::words;
use super::{
    ContentError, Entry, HookFile, HookSpec, Inspection, Merged, Places, Program, Removed, Scope,
    SettingsPlace, Wiring,
};
use crate::settings::Change;

/// Stands in a template for the program, which is written there as a string in JSON.
const PROGRAM: &str = "\"@attest@\"";

/// The folder of a plugin, or a single file of ours in a folder of the host's.
#[derive(Debug)]
pub struct OwnedFolder {
    /// What `--harness` has to say.
    pub harness: &'static str,
    /// The variable that names the host's folder.
    pub variable: Option<&'static str>,
    /// The host's folder, in the home folder, if no variable names it.
    pub folder: &'static str,
    /// Where the files are, in the host's folder.
    pub inside: &'static str,
    /// Where they are in a project; `None` if the host loads none there.
    pub project: Option<&'static str>,
    /// Whether nothing but our files is there.
    pub is_own: bool,
    /// The files.
    pub files: &'static [OwnedFile],
    /// The hooks that they call.
    pub hooks: &'static [HookSpec],
}

/// One file of ours.
#[derive(Debug)]
pub struct OwnedFile {
    /// Its name.
    pub name: &'static str,
    /// What is in it, with `"@attest@"` for the program.
    pub template: &'static str,
    /// What it begins with in every version, by which another one is known.
    pub head: &'static str,
    /// The hooks that it calls.
    pub hooks: &'static [HookSpec],
}

/// What people install with the host's own command, in place of `attest install`.
#[derive(Debug)]
pub struct Package {
    /// Its files, in which the program goes by its name alone.
    pub files: &'static [OwnedFile],
    /// Whether its hooks call the launcher, which is beside them.
    pub has_launcher: bool,
}

impl Wiring for OwnedFolder {
    fn hooks(&self) -> &'static [HookSpec] {
        self.hooks
    }

    fn words(&self, verb: &str) -> Vec<String> {
        words(Some(self.harness), verb)
    }

    fn files(&self, places: &Places<'_>) -> Vec<SettingsPlace<'_>> {
        let folder = match &places.project {
            Some(project) => self.project.map(|inside| project.join(inside)),
            None => self.home(places).map(|home| home.join(self.inside)),
        };
        let folder = folder.into_iter();
        folder
            .flat_map(|folder| self.files.iter().map(move |file| (folder.clone(), file)))
            .map(|(folder, file)| SettingsPlace {
                path: folder.join(file.name),
                file,
                own_folder: self.is_own.then_some(folder),
            })
            .collect()
    }

    fn any_file(&self) -> Option<&dyn HookFile> {
        None
    }

    /// They are in the files themselves.
    fn fixed_timeout(&self, verb: &str) -> Option<u32> {
        let hooks = self.hooks.iter().filter(|spec| spec.verb == verb);
        hooks.map(|spec| spec.timeout).min()
    }

    fn home(&self, places: &Places<'_>) -> Option<PathBuf> {
        places.folder(self.variable, self.folder)
    }
}

impl HookFile for OwnedFile {
    fn install(
        &self,
        content: &[u8],
        _scope: Scope,
        program: Program<'_>,
    ) -> Result<Merged, ContentError> {
        let bytes = self.written_for(program.path).into_bytes();
        let changes = match content {
            _ if content == bytes => Vec::new(),
            b"" => vec![Change::Added(self.name)],
            _ if self.is_ours(content) => vec![Change::Updated(self.name)],
            _ => return Err(ContentError::NotOurs),
        };
        Ok(Merged { bytes, changes })
    }

    fn uninstall(
        &self,
        content: &[u8],
        _backups: &mut dyn Iterator<Item = Vec<u8>>,
    ) -> Result<Removed, ContentError> {
        if !self.is_ours(content) {
            return Ok(Removed {
                bytes: Some(content.to_vec()),
                events: Vec::new(),
                is_edited: false,
            });
        }
        let written = self.program_in(content).map(|path| self.written_for(&path));
        Ok(Removed {
            bytes: None,
            events: vec![self.name.to_owned()],
            is_edited: written.is_none_or(|written| written.as_bytes() != content),
        })
    }

    fn inspect(&self, content: &[u8]) -> Result<Inspection, ContentError> {
        if content.is_empty() {
            return Ok(Inspection::default());
        }
        if !self.is_ours(content) {
            return Err(ContentError::NotOurs);
        }
        let program = self.program_in(content);
        let faults = match &program {
            Some(path) if self.written_for(path).as_bytes() == content => Vec::new(),
            _ => vec!["it is not what this version writes"],
        };
        let entries = self.hooks.iter().map(|spec| Entry {
            event: spec.event.to_owned(),
            verb: spec.verb,
            matcher: None,
            program: program.clone().unwrap_or_default(),
            is_literal: program.is_some(),
            has_args: false,
            timeout: None,
            faults: faults.clone(),
        });
        Ok(Inspection {
            entries: entries.collect(),
            ..Inspection::default()
        })
    }
}

impl OwnedFile {
    /// Whether attest wrote it, in this version or another: that it names attest somewhere shows nothing.
    #[must_use]
    pub fn is_ours(&self, content: &[u8]) -> bool {
        content.starts_with(self.head.as_bytes())
    }

    /// What is in it if `program` is the program.
    #[must_use]
    pub fn written_for(&self, program: &str) -> String {
        let program = serde_json::Value::from(program).to_string();
        self.template.replace(PROGRAM, &program)
    }

    /// The program in a file that was written by this version, or nearly so; empty if the file names none.
    fn program_in(&self, content: &[u8]) -> Option<String> {
        let Some((before, _)) = self.template.split_once(PROGRAM) else {
            return Some(String::new());
        };
        let line = before.rsplit('\n').next().unwrap_or_default();
        let text = str::from_utf8(content).ok()?;
        let mut behind = text
            .lines()
            .filter_map(|candidate| candidate.strip_prefix(line));
        behind.find_map(|rest| {
            let mut values = serde_json::Deserializer::from_str(rest).into_iter::<String>();
            values.next()?.ok()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::CallForm;

    static FOLDER: OwnedFolder = OwnedFolder {
        harness: "sketch",
        variable: Some("SKETCH_HOME"),
        folder: ".sketch",
        inside: "plugins/attest",
        project: Some(".sketch/plugins/attest"),
        is_own: true,
        files: &[
            OwnedFile {
                name: "index.js",
                template: "// attest's hooks\nconst program = \"@attest@\";\nrun(program);\n",
                head: "// attest's hooks",
                hooks: HOOKS,
            },
            OwnedFile {
                name: "package.json",
                template: "{\"name\": \"attest\"}\n",
                head: "{\"name\": \"attest\"",
                hooks: &[],
            },
        ],
        hooks: HOOKS,
    };
    const HOOKS: &[HookSpec] = &[HookSpec {
        event: "stop",
        matcher: None,
        verb: "stop",
        timeout: 30,
        since: None,
        is_core: true,
    }];
    const BINARY: Program<'static> = Program {
        path: "/opt/my \"tools\"/attest",
        form: CallForm::Shell,
    };

    fn place(index: usize) -> SettingsPlace<'static> {
        let places = Places {
            variable: &|_| None,
            home: Some("/home/user".into()),
            project: None,
        };
        FOLDER.files(&places).swap_remove(index)
    }

    fn installed(content: &[u8]) -> Result<Merged, ContentError> {
        place(0).file.install(content, Scope::All, BINARY)
    }

    #[test]
    fn every_file_has_its_place_for_a_person_and_for_a_project() {
        let folder = PathBuf::from("/home/user/.sketch/plugins/attest");
        assert_eq!(place(1).path, folder.join("package.json"));
        assert_eq!(place(0).own_folder, Some(folder));
        let places = Places {
            variable: &|_| None,
            home: None,
            project: Some("/w".into()),
        };
        let files = FOLDER.files(&places);
        assert_eq!(
            files[0].path,
            PathBuf::from("/w/.sketch/plugins/attest/index.js")
        );
    }

    #[test]
    fn the_program_is_written_so_that_it_is_read_back() {
        let merged = installed(b"").unwrap();
        assert_eq!(merged.changes, [Change::Added("index.js")]);
        let text = String::from_utf8(merged.bytes.clone()).unwrap();
        assert!(text.contains(r#"= "/opt/my \"tools\"/attest";"#), "{text}");
        let inspection = place(0).file.inspect(&merged.bytes).unwrap();
        assert_eq!(inspection.entries[0].program, BINARY.path);
        assert_eq!(inspection.entries[0].faults, [""; 0]);
        assert_eq!(installed(&merged.bytes).unwrap().changes, []);
    }

    #[test]
    fn one_of_another_version_is_updated_and_one_of_somebody_else_is_left_alone() {
        let old = b"// attest's hooks, an earlier version\n";
        assert_eq!(
            installed(old).unwrap().changes,
            [Change::Updated("index.js")]
        );
        let file = place(0).file;
        assert!(
            file.uninstall(old, &mut std::iter::empty())
                .unwrap()
                .is_edited
        );
        for theirs in ["module.exports = {};\n", "// my notes on attest's hooks\n"] {
            let theirs = theirs.as_bytes();
            assert!(matches!(installed(theirs), Err(ContentError::NotOurs)));
            let kept = file.uninstall(theirs, &mut std::iter::empty()).unwrap();
            assert!(kept.events.is_empty() && kept.bytes.as_deref() == Some(theirs));
        }
    }

    #[test]
    fn what_is_installed_for_any_host_is_known_again() {
        let places = Places {
            variable: &|_| None,
            home: Some("/home/user".into()),
            project: None,
        };
        for host in crate::hosts::ALL {
            for place in host.wiring().files(&places) {
                let written = place.file.install(b"", Scope::All, BINARY).unwrap().bytes;
                let removed = place.file.uninstall(&written, &mut std::iter::empty());
                assert!(!removed.unwrap().events.is_empty(), "{:?}", place.path);
            }
        }
    }

    #[test]
    fn what_attest_wrote_goes_without_a_copy() {
        for index in [0, 1] {
            let file = place(index).file;
            let bytes = file.install(b"", Scope::All, BINARY).unwrap().bytes;
            let removed = file.uninstall(&bytes, &mut std::iter::empty()).unwrap();
            assert!(removed.bytes.is_none() && !removed.is_edited);
        }
    }
}
