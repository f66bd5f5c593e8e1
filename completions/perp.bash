# bash completion for perp (bash 3.2 or newer). Load it with: source <(perp completion bash)

_perp() {
  local line="${COMP_LINE:0:COMP_POINT}" current word answer
  local -a words
  read -ra words <<< "$line"
  case "$line" in *[[:space:]]) words+=('') ;; esac
  current="${words[${#words[@]}-1]}"
  # The shell replaces only the part of the word after the last of these characters.
  case "$COMP_WORDBREAKS" in *=*) [[ "$current" == --*=* ]] && current="${current#*=}" ;; esac
  local replaced="${words[${#words[@]}-1]%"$current"}"
  case "$COMP_WORDBREAKS" in *:*) [[ "$current" == *:* ]] && replaced+="${current%"${current##*:}"}" ;; esac

  COMPREPLY=()
  answer="$(perp __complete "${words[@]:1}" 2>/dev/null)" || return
  while IFS= read -r line; do
    case "$line" in
      :files)
        while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$current")
        compopt -o filenames 2>/dev/null
        ;;
      :words) ;;
      *) word="${line%%$'\t'*}"; COMPREPLY+=("${word:${#replaced}}") ;;
    esac
  done <<< "$answer"
}

complete -F _perp perp
