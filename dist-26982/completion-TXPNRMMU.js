(function(use,load,meta,require){"use strict";const {qj:o}=use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                     var e={summary:"Print the completion script for a shell",description:"Completes commands, options, values, markets, and your accounts, positions and working orders, without using the network.",args:[{
name:"shell",choices:["bash","zsh","fish","powershell"],summary:"your shell"}],examples:[["source <(perp completion bash)","in ~/.bashrc"],["source <(perp completion zsh)","in ~/.zshrc, after: autoloa\
d -Uz compinit && compinit"],["mkdir -p ~/.config/fish/completions && perp completion fish > ~/.config/fish/completions/perp.fish","for fish"],["perp completion powershell | Out-String | Invoke-Expres\
sion","in $PROFILE"]],ignoresProfile:!0};async function s(r,t){return{kind:"text",text:o(t.shell)}}                              

return{command:e,run:s}})