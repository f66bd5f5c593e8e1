(function(use,load,meta,require){"use strict";const {c:w,d:d,e:h,g:a}=use("chunk-63LSRMJD.js");use("chunk-R2ZJ2XCT.js");use("chunk-IAWVPUHK.js");const {e:s}=use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                    function E(o,e,p){let r=new a(o,e);return r.ids().map(t=>r.sound(t,"request")).filter(t=>t!==void 0).filter(t=>p<t.until&&r.read(t.id,"end")===void 0).map(t=>M(r,t,p)).sort((t,i)=>t.kept.askedAt-i.kept.
askedAt)}function M(o,e,p){let r=o.sound(e.id,"facts"),t=r!==void 0&&Math.abs(p-r.at)<d,i=o.sound(e.id,"decision"),m=i?.until??e.until;return{kept:e,facts:t?r.facts:void 0,decision:i?.decision,until:m}}
var y=100,O=15e3;async function K(o){let{folder:e,secret:p,kept:r,now:t}=o,i=new a(e,p),{id:m,nonce:b}=r,c=t(),{decision:q,by:v,mark:D}=o,k=h(r.request),u={id:m,nonce:b,requestHash:k,decision:q,by:v,at:c,
until:c+w,mark:D},l=i.sound(m,"end");if(l!==void 0)throw g(`It is over: ${l.why}`);if(!i.create("decision",u))throw g("Someone has already decided on it.");for(let n=0;n<O;n+=y){let f=i.sound(m,"end");
if(f!==void 0)return f;if(!(i.sound(m,"facts")?.isDecided===!0)&&n>=d)return R(i,r,t());await o.sleep(y)}return i.sound(m,"end")??{state:"kept",until:u.until}}function R(o,e,p){let i=o.create("end",{id:e.
id,nonce:e.nonce,state:"void",why:"The gate did not answer, so the decision was withdrawn.",at:p})?void 0:o.sound(e.id,"end");if(i!==void 0)return i;throw new s({code:"gate_silent",message:"The gate n\
o longer answers, so the decision was withdrawn and the order will not be sent.",hint:"perp gate status shows whether it is running. The bot can ask again under another key."})}function g(o){return new s(
{code:"already_decided",message:o,hint:"perp approve lists the waiting requests."})}                                         

return{decide:K,waitingRequests:E}})