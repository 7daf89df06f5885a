//! Reading one node of the syntax tree: the value under a name, and the text, boolean or number that it is.

use jsonc_parser::cst::{CstNode, CstObject};

/// The value of `name` in `object`.
pub(super) fn value(object: &CstObject, name: &str) -> Option<CstNode> {
    object.get(name)?.value()
}

/// The string that `name` is in `object`.
pub(super) fn text(object: &CstObject, name: &str) -> Option<String> {
    string(&value(object, name)?)
}

/// The string that `node` is.
pub(super) fn string(node: &CstNode) -> Option<String> {
    node.as_string_lit()?.decoded_value().ok()
}

/// The boolean that `node` is.
pub(super) fn boolean(node: &CstNode) -> Option<bool> {
    Some(node.as_boolean_lit()?.value())
}

/// The number that `node` is.
pub(super) fn number(node: &CstNode) -> Option<f64> {
    let number = node.as_number_lit()?.to_string().parse::<f64>();
    number.ok().filter(|number| number.is_finite())
}

/// Whether `node` is a number above zero.
pub(super) fn is_positive(node: &CstNode) -> bool {
    number(node).is_some_and(|number| number > 0.0)
}
