//! The entries that are written.

use jsonc_parser::cst::CstInputValue;

use super::document::HOOKS;
use super::shell::{self, Guard};
use super::{CallForm, HookSpec, JsonFile, Program, Shape, Wanted, Wiring as _};

impl JsonFile {
    /// The value of an event with nothing but this hook.
    pub(super) fn event(&self, spec: &HookSpec, program: Program<'_>) -> CstInputValue {
        CstInputValue::Array(vec![self.item(spec, program)])
    }

    /// An item of an event with nothing but this hook.
    pub(super) fn item(&self, spec: &HookSpec, program: Program<'_>) -> CstInputValue {
        let handler = self.handler(spec, program);
        match self.shape {
            Shape::Flat => handler,
            Shape::Groups => {
                let matcher = spec.matcher.map(|matcher| ("matcher", matcher.into()));
                let handlers = CstInputValue::Array(vec![handler]);
                object(matcher.into_iter().chain([(HOOKS, handlers)]))
            }
        }
    }

    fn handler(&self, spec: &HookSpec, program: Program<'_>) -> CstInputValue {
        let words = self.words(spec.verb);
        let args = (program.form == CallForm::Exec).then(|| ("args", words.clone().into()));
        let call = [(self.command, self.call(program, &words))]
            .into_iter()
            .chain(args);
        let is_earlier = program.form == CallForm::Earlier;
        let rules = self.rules.iter();
        let rules = rules.filter(|rule| !(is_earlier && matches!(rule.wanted, Wanted::Name(_))));
        let rules = rules.filter_map(|rule| Some((rule.key, self.value(rule.wanted, spec)?)));
        let mut properties: Vec<_> = rules.collect();
        // Behind what says which kind of entry it is.
        let at = usize::from(self.rules.first().is_some_and(|rule| rule.key == "type"));
        properties.splice(at..at, call);
        object(properties)
    }

    /// The value of `command` for a call with `args`. The full path, because a host need not have
    /// the PATH of the person's shell.
    pub(super) fn call(&self, program: Program<'_>, args: &[String]) -> CstInputValue {
        match program.form {
            CallForm::Shell | CallForm::Earlier => {
                shell::command_line(program.path, args, self.guard(program.form)).into()
            }
            CallForm::Exec => program.path.into(),
        }
    }

    /// What stands behind a call of this form here.
    pub(super) fn guard(&self, form: CallForm) -> Guard {
        let is_known = self.has_powershell || !cfg!(windows);
        match (form, cfg!(windows), self.shows_standard_error) {
            (CallForm::Exec | CallForm::Earlier, ..) => Guard::Bare,
            _ if !is_known => Guard::Bare,
            (CallForm::Shell, true, false) => Guard::PowerShell,
            (CallForm::Shell, true, true) => Guard::PowerShellSilent,
            (CallForm::Shell, false, false) => Guard::Posix,
            (CallForm::Shell, false, true) => Guard::PosixSilent,
        }
    }

    /// What a property is written as; `None` if it is to go.
    pub(super) fn value(&self, wanted: Wanted, spec: &HookSpec) -> Option<CstInputValue> {
        match wanted {
            Wanted::Text(text) | Wanted::AnyText(text) | Wanted::Name(text) => Some(text.into()),
            Wanted::Count(count) => Some(count.into()),
            Wanted::Timeout => Some((spec.timeout * self.units_per_second).into()),
            Wanted::False => Some(false.into()),
            Wanted::NotTrue | Wanted::Absent => None,
        }
    }
}

fn object(properties: impl IntoIterator<Item = (&'static str, CstInputValue)>) -> CstInputValue {
    let properties = properties.into_iter();
    CstInputValue::Object(
        properties
            .map(|(name, value)| (name.to_owned(), value))
            .collect(),
    )
}
