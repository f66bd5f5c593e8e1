(function(use,load,meta,require){"use strict";const {Ml:s}=use("chunk-AFUPYCZE.js");
                                         var c,d=()=>c??=require                 ("node:readline");var i=(...e)=>d().createInterface(...e);function f(e,o,{state:n,settings:r,own:t}){return new s({settings:{...e.settings,environment:"sim",profile:void 0,account:void 0,accountFrom:void 0,baseUrl:void 0,apiKeyFile:void 0,profileKeyFile:void 0,
strayOfHost:void 0,streams:{market:void 0,account:void 0},place:"",ofProfile:"",ofAccount:"",output:"table",dryRun:!1,idempotencyKey:void 0,simulation:{state:n,plain:n,plainFrom:"--state",books:void 0,
clock:void 0,speed:void 0},...r},registry:e.registry,lineReader:e.lineReader,outside:{...e.outside,variables:{...e.variables,PERP_STATE_DIR:o}},interruption:()=>e.signal,palette:e.palette,...t!==void 0&&
{own:t}})}function p({io:e,signal:o}){let n=i({input:e.input(),terminal:!1,signal:o}),r=n[Symbol.asyncIterator]();return{async next(){let t=await r.next();return t.done===!0?void 0:String(t.value)},[Symbol.
dispose]:()=>n.close()}}                      

return{a:f,b:p}})