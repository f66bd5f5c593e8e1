(function(use,load,meta,require){"use strict";const {zj:e}=use("chunk-AFUPYCZE.js");
                                         var o={bash:"perp.bash",zsh:"_perp",fish:"perp.fish",powershell:"perp.ps1"};function t(p){return e(`completions/${o[p]}`)}                      

return{a:o,b:t}})