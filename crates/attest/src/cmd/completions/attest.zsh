#compdef attest
# Completes attest in zsh. It asks the attest of the PATH, never a program that only the line names.
_attest() {
    local line
    local -a lines values
    lines=("${(@f)$(command attest ASKS words "${(@Q)words[1,CURRENT-1]}" ":${(Q)PREFIX}" 2> /dev/null)}")
    case $lines[1] in
        files)
            compset -P '*='
            _files
            ;;
        folders)
            compset -P '*='
            _files -/
            ;;
        values)
            for line in "${(@)lines[2,-1]}"; do
                line=${line//\\/\\\\}
                line=${line//:/\\:}
                line=${line/$'\t'/:}
                values+=("${line%:}")
            done
            ((${#values})) && _describe -V 'attest' values
            ;;
    esac
}
if [[ ${funcstack[1]} == _attest ]]; then
    _attest "$@"
else
    compdef _attest attest
fi
