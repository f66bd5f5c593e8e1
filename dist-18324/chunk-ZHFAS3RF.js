(function(use,load,meta,require){"use strict";const {Z:n,ae:i}=use("chunk-AFUPYCZE.js");
                                                function w({trips:e,won:o,lost:t,net:l,fees:d,carry:s,r,trips_with_r:u},p){return[["result",i(l)],[p,e===0?"none ended":`${e} ended: ${o} won, ${t} lost`],["R",r===null?void 0:`${r<0?"":"+"}${r.toFixed(
2)}R over ${u} of ${e}`],["fees",`${n(d)} USD`],["carry",`${n(s)} USD`]]}function y({kept:e},o=""){let t=o===""?"":`: ${o}`;return e===null?`unknown${t}`:e?{text:`kept${t}`,tone:"good"}:{text:`BROKEN${t}`,
tone:"bad"}}                      

return{a:w,b:y}})