(function(use,load,meta,require){"use strict";const {Jb:c,Kc:p,Yb:h,ca:u,d:d,e:a,ga:f}=use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                              function F(t,o){return f(o).exit===d.bug?b(t,o)??o:o}function b(t,o){for(let{id:i,status:e,body:w}of t){let r=i in p?p[i]:void 0,n=r&&(r.responses[e]?.schema??h(r)),[m,...s]=n===void 0?[]:c(n,w);if(m===
void 0)continue;let l=s.length===0?"":`, and ${s.length} more`,y=`The host's answer to ${i} does not match the API: ${m.field} ${m.issue}${l}.`;return new a({code:"bad_answer",message:y,status:e,hint:u(
"bad_answer")},{cause:o})}}                       

return{diagnosed:F}})