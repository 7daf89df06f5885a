# Completes attest in PowerShell. It asks the attest of the PATH, never a program that only the line names.
Register-ArgumentCompleter -Native -CommandName 'attest', 'attest.exe' -ScriptBlock {
    param($word, $line, $cursor)
    $attest = Get-Command attest -CommandType Application -ErrorAction SilentlyContinue | Select-Object -First 1
    if (-not $attest) { return }
    $before = @($line.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object {
        if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.Extent.Text }
    })
    $lines = @(& $attest.Source ASKS words @before ":$word" 2> $null)
    # Where nothing comes back, PowerShell offers files by itself.
    if ($lines.Count -eq 0 -or $lines[0] -ne 'values') { return }
    if ($lines.Count -eq 1) { return '' }
    $lines[1..($lines.Count - 1)] | ForEach-Object {
        $value, $help = $_.Split("`t", 2)
        if (-not $help) { $help = $value }
        [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $help)
    }
}
