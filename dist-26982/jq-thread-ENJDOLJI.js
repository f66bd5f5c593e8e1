(function(use,load,meta,require){"use strict";use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                        var c,d=()=>c??=require                 ("node:worker_threads"),m=t=>d()[t];var e=m("isMainThread");var i=m("workerData");var h=new URL(meta       .url);async function l({perpJq:t,done:p}){process.stderr.write=()=>!0;let{loadJq:s}=await load  ("./inline-5MWSQVAQ.js"),a=await s(),n=(r,o)=>{try{return a.raw(r,o,["-r",
"-c"])}catch{return"broke off"}};t.on("message",([r,o])=>{t.postMessage(n(r,o)),Atomics.store(p,0,1),Atomics.notify(p,0)}),t.postMessage("ready")}!e&&i?.perpJq!==void 0&&l(i);                        

return{threadFile:h}})