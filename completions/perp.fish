# fish completion for perp (fish 3 or newer). Load it with: perp completion fish | source

function __perp_complete
  set -l current (commandline -ct)
  for line in (perp __complete (commandline -opc)[2..-1] "$current" 2>/dev/null)
    switch $line
      case :files
        set -l option (string match -r -- '^--[^=]*=' "$current")
        __fish_complete_path (string replace -- "$option" '' "$current") | string replace -r -- '^' "$option"
      case :words
      case '*'
        echo $line
    end
  end
end

complete -c perp -f -a '(__perp_complete)'
