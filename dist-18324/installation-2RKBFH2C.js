(function(use,load,meta,require){"use strict";const {b:a}=use("chunk-QLCS2NMG.js");const {Cj:c,Rd:s,Td:n}=use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                             var l={summary:"Show the version, commit, runtime and installation",description:"Also prints the command that upgrades this copy. Reads and sends nothing.",examples:[["perp version","for people"],["pe\
rp version --json","for scripts and bug reports"]],ignoresProfile:!0,toleratesBadConfig:!0,async run({registry:r}){let{version:o,commit:i}=r,{by:t,place:p,upgrade:m}=c(),e=`Node ${process.versions.node}\
 on ${process.platform} ${process.arch}`;return s({version:o,commit:i,runtime:e,installed:t,place:p,upgrade:m},()=>[n(["version",o],["commit",i??"unknown"],["runtime",e],["installed",`${t}, ${p}`],["t\
o upgrade",m])])}},d={summary:"Print the completion script for a shell",description:"Completes commands, options, values, markets, and your accounts, positions and working orders, without using the ne\
twork.",args:[{name:"shell",choices:["bash","zsh","fish","powershell"],summary:"your shell"}],examples:[["source <(perp completion bash)","in ~/.bashrc"],["source <(perp completion zsh)","in ~/.zshrc,\
 after: autoload -Uz compinit && compinit"],["mkdir -p ~/.config/fish/completions && perp completion fish > ~/.config/fish/completions/perp.fish","for fish"],["perp completion powershell | Out-String \
| Invoke-Expression","in $PROFILE"]],ignoresProfile:!0,async run(r,o){return{kind:"text",text:a(o.shell)}}},y={version:l,completion:d};                   

return{words:y}})