// attest's hooks for OpenCode. `attest install --host opencode` writes this file, and
// `attest uninstall --host opencode` removes it; or it is in the package attest-opencode.
//
// OpenCode goes on as if this file was not there if attest is missing, fails or takes too long.
const HARNESS = "opencode";
