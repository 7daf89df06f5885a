// attest's hooks for Kilo. `attest install --host kilo` writes this file, and
// `attest uninstall --host kilo` removes it; or it is in the package attest-kilo.
//
// Kilo goes on as if this file was not there if attest is missing, fails or takes too long.
const HARNESS = "kilo";
