(function(use,load,meta,require){"use strict";const {c:g,d:l,e:b}=use("chunk-SIVZNYYS.js");const {b:u}=use("chunk-RAM5YMFR.js");use("chunk-E6MXZYGV.js");const {e:c}=use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                              function W(t,e,p){let i=new u(t,e);return i.ids().map(r=>i.read(r,"request")).filter(r=>r!==void 0&&r!=="forged").filter(r=>p<r.until&&i.read(r.id,"end")===void 0).map(r=>k(i,r,p)).sort((r,o)=>r.kept.
askedAt-o.kept.askedAt)}function k(t,e,p){let i=t.read(e.id,"facts"),r=i!==void 0&&i!=="forged"&&Math.abs(p-i.at)<l,o=t.read(e.id,"decision"),m=o===void 0||o==="forged"?void 0:o,s=m?.until??e.until;return{
kept:e,facts:r?i.facts:void 0,decision:m?.decision,until:s}}var q=100,E=15e3;async function _(t){let{folder:e,secret:p,kept:i,now:r}=t,o=new u(e,p),{id:m,nonce:s}=i,f=r(),{decision:R,by:F,mark:D}=t,A=b(
i.request),w={id:m,nonce:s,requestHash:A,decision:R,by:F,at:f,until:f+g,mark:D},h=n(o,i);if(h!==void 0)throw M(h);if(!o.create("decision",w))throw v("Someone has already decided on it.");for(let d=0;d<
E;d+=q){let y=n(o,i);if(y!==void 0)return y;let a=o.read(m,"facts");if(!(a!==void 0&&a!=="forged"&&a.isDecided)&&d>=l)return K(o,i,r());await t.sleep(q)}return n(o,i)??{state:"kept",until:w.until}}function K(t,e,p){
let o=t.create("end",{id:e.id,nonce:e.nonce,state:"void",why:"The gate did not answer, so the decision was withdrawn.",at:p})?void 0:n(t,e);if(o!==void 0)return o;throw new c({code:"gate_silent",message:"\
The gate no longer answers, so the decision was withdrawn and the order will not be sent.",hint:"perp gate status shows whether it is running. The bot can ask again under another key."})}function n(t,{
id:e}){let p=t.read(e,"end");return p==="forged"?void 0:p}function M({why:t}){return v(`It is over: ${t}`)}function v(t){return new c({code:"already_decided",message:t,hint:"perp approve lists the wai\
ting requests."})}                                         

return{decide:_,waitingRequests:W}})