# Completes attest in bash. It asks the attest of the PATH, never a program that only the line names.
_attest() {
    local kind value help
    COMPREPLY=()
    {
        read -r kind || return 0
        case $kind in
            files) compopt -o default 2> /dev/null || COMPREPLY=($(compgen -f -- "$2")) ;;
            folders) compopt -o dirnames 2> /dev/null || COMPREPLY=($(compgen -d -- "$2")) ;;
            values)
                while IFS=$'\t' read -r value help; do
                    COMPREPLY+=("$value")
                done
                ;;
        esac
    } < <(command attest ASKS line "${COMP_LINE:0:COMP_POINT}" ":$2" 2> /dev/null)
}
complete -o nosort -F _attest attest 2> /dev/null || complete -F _attest attest
