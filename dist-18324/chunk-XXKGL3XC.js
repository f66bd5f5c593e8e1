(function(use,load,meta,require){"use strict";const {Db:d}=use("chunk-AFUPYCZE.js");
                                         var o=class extends Error{code;facts;constructor(e,t,n={}){super(t),this.name="Failure",this.code=e,this.facts=n}get status(){return d[this.code].status}body(e){let{details:t,ruleId:n,orderId:s,clientOrderId:i}=this.
facts;return{code:this.code,message:this.message,request_id:e,...s!==void 0&&{order_id:s},...i!==void 0&&{client_order_id:i},...n!==void 0&&{rule_id:n},...t!==void 0&&{details:t}}}};function u(r,e="Th\
e request is not valid."){return new o("invalid_request",e,{details:r})}function c(r){return new o("not_found",`There is no such ${r}.`)}function l(r,e){let{retryAfterSeconds:t,headers:n}=r.facts,s=r.
body(e.requestId);return{status:r.status,headers:{"x-request-id":e.requestId,...e.headers,...t!==void 0&&{"retry-after":String(t)},...n},body:r.status===400&&e.operation?.id==="exchangeCliAuthorizatio\
nCode"?s:{error:s}}}function p(){return new o("idempotency_conflict","This Idempotency-Key was used for another request.")}                                      

return{a:o,b:u,c:c,d:l,e:p}})