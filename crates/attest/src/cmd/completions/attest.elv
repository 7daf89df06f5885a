# Completes attest in elvish. It asks the attest of the PATH, never a program that only the line names.
use str
set edit:completion:arg-completer[attest] = {|@words|
    var lines = []
    try {
        set lines = [((external attest) ASKS words (all $words[..-1]) ':'$words[-1] 2>/dev/null)]
    } catch {
        nop
    }
    if (< 0 (count $lines)) {
        if (eq $lines[0] values) {
            for line $lines[1..] {
                var value help = (str:split &max=2 "\t" $line)
                if (eq $help '') {
                    edit:complex-candidate $value
                } else {
                    edit:complex-candidate $value &display=$value' ('$help')'
                }
            }
        } else {
            edit:complete-filename $@words
        }
    }
}
