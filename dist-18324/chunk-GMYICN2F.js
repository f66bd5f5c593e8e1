(function(use,load,meta,require){"use strict";const {Z:i,aa:s,ca:r}=use("chunk-AFUPYCZE.js");
                                                        var c={within:{value:"DURATION",kind:"duration",summary:"include the carry and new daily floors of a period, such as 4h, in what ends the account"}};function f(e,t,n){if(t===void 0)return;if(n===void 0){
e.note("The effect of the time ahead is unknown, so --within is ignored.");return}let{carry:a,new_day_at:o}=n,d=o===null?"":` and the new daily floor of ${s(o)}`,u=e.settings.environment==="sim"?"":",\
 at the simulation's rates (not the host's)";e.note(`The end of the account includes the next ${r(t)}: ${i(a)} USD of carry${u}${d}, assuming that marks don't move.`)}                      

return{a:c,b:f}})