# Completes attest in fish. It asks the attest of the PATH, never a program that only the line names.
function __attest_offered
    set -l word (commandline --current-token)
    set -l lines (command attest ASKS words (commandline --current-process --tokenize --cut-at-cursor) ":$word" 2>/dev/null)
    set -l begin (string match --regex -- '^--[^=]*=' "$word")
    set -l rest (string replace --regex -- '^--[^=]*=' '' "$word")
    switch "$lines[1]"
        case files
            for path in (__fish_complete_path "$rest")
                printf '%s%s\n' "$begin" $path
            end
        case folders
            for path in (__fish_complete_directories "$rest")
                printf '%s%s\n' "$begin" $path
            end
        case values
            set --erase lines[1]
            printf '%s\n' $lines
    end
end
complete --command attest --no-files --keep-order --arguments '(__attest_offered)'
