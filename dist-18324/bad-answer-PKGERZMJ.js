(function(use,load,meta,require){"use strict";const {Zb:c,d:d,dd:m,e:a,la:u,pa:f}=use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                      function v(t,o){return f(o).exit===d.bug?y(t,o)??o:o}function y(t,o){for(let{id:i,status:e,body:w}of t){let r=i in m?m[i]:void 0,n=r&&(r.responses[e]?.schema??r.success),[p,...s]=n===void 0?[]:c(n,w);
if(p===void 0)continue;let h=s.length===0?"":`, and ${s.length} more`,l=`The host's answer to ${i} does not match the API: ${p.field} ${p.issue}${h}.`;return new a({code:"bad_answer",message:l,status:e,
hint:u("bad_answer")},{cause:o})}}                       

return{diagnosed:v}})