# PowerShell completion for perp (5.1 or newer). Load it with: perp completion powershell | Out-String | Invoke-Expression

Register-ArgumentCompleter -Native -CommandName perp -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
  # Older versions drop empty arguments, so a pair of quotes stands for an empty word.
  $current = if ($wordToComplete) { $wordToComplete } else { '""' }
  foreach ($line in @(perp __complete @words $current 2>$null)) {
    if ($line -eq ':files' -or $line -eq ':words') { continue }
    $word, $about = $line -split "`t", 2
    if (-not $about) { $about = $word }
    [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $about)
  }
}
