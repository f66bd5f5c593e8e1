(function(use,load,meta,require){"use strict";const {Md:r}=use("chunk-AFUPYCZE.js");
                                         function l(t,o){return[t.map(({header:n})=>n),t.map(({align:n})=>n==="right"?"---:":"---"),...o.map(n=>t.map(({cell:e})=>i(r(e(n)??""))))].map(n=>`| ${n.join(" | ")} |
`).join("")}function i(t){return t.replace(/[\\`*_{}[\]<>#|~&]/g,o=>o==="<"?"&lt;":o==="&"?"&amp;":`\\${o}`)}               

return{a:l}})