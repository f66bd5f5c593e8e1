(function(use,load,meta,require){"use strict";use("chunk-YY2WGIUL.js");const {Pj:p,g:e}=use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                        var s,a=()=>s??=require                 ("node:crypto");var i=(...t)=>a().randomUUID(...t);var l=/^\/v1(?:\/(?:markets|accounts)(?:[/?].*)?)?$/;function u(t,m){let o=m?.input.venue??[];return{state:`glance-${i().slice(0,8)}`,leavesNothing:!0,glances:!0,live:p(t,o.length>0?o:void 0),says:"No\
 simulation on live markets is being served, so this is a single REST snapshot. Start one with: perp sim serve --books live",readOnly(n){return async(r,c)=>{if(r.method==="GET"&&l.test(r.target))return await n(
r,c);throw e("Without a served simulation, only perp quote and perp markets work on live markets.","Start one with: perp sim serve --books live")}}}}                           

return{glanceOptions:u}})