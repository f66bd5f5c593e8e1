(function(use,load,meta,require){"use strict";const {a:I}=use("chunk-UEKKPDH4.js");const {Gd:T,Jd:x,ca:E,d:b,e:m,ei:g,g:h,gl:S,i:y,nf:F}=use("chunk-AFUPYCZE.js");
                                                                                                                                                     async function q(e,t,{view:n,subject:o,table:a=new g},f){if(e.settings.dryRun)throw h("A stream can't be combined with --dry-run.","Omit --dry-run.");let u=C(e,n),r=Promise.withResolvers(),{signal:i}=e,
c=()=>r.reject(i.reason??y("Stopped."));i.addEventListener("abort",c,{once:!0}),i.aborted&&c();let{maxEvents:p=Number.POSITIVE_INFINITY,idleTimeout:l}=t,d=0,v=l===void 0?void 0:setTimeout(()=>r.reject(
N(l)),Math.min(l,2**31-1)),P={tell(s){d!==p&&(d+=1,v?.refresh(),u(s),d===p&&r.resolve())},fail:s=>r.reject(s),table:a},j=t.for===void 0?()=>{}:I.after(t.for,()=>r.resolve()),w=()=>{};try{if(await F(e),
w=await f(P),await r.promise,d===0&&!a.isKnown(o))throw k(o,a)}catch(s){if(!$(s,i))throw s;return{kind:"text",text:"",exit:b.interrupted}}finally{w(),clearTimeout(v),j(),i.removeEventListener("abort",
c)}return{kind:"text",text:""}}function k(e,t){let{stream:n}=t.of(e),o=n.kind==="reconnecting"?n.reason:"it did not answer";return new m({code:"stream_not_accepted",message:`The service never accepted\
 the ${S[e]} stream: ${o}. Nothing was received.`,retryable:!0})}function C(e,t){let{io:n,settings:o,palette:a}=e;if(o.output==="table"&&(t.isText===!0||o.outputIsChosen||n.stdoutIsTerminal))return r=>n.
out(`${t.line(r).map(a).join("")}
`);if(o.output!=="csv")return r=>e.tell(r);let u=!1;return r=>{u||n.out(`${x(t.fields)}
`),u=!0;for(let i of t.rows?.(r)??[r])n.out(`${T(i,t.fields)}
`)}}function N(e){return new m({code:"idle_timeout",message:`No event arrived for ${E(e)}.`,hint:"Check the market with perp quote, or wait longer with --idle-timeout."})}function $(e,t){return t.aborted&&
e===t.reason&&e instanceof m&&e.facts.code==="interrupted"}               

return{a:q}})