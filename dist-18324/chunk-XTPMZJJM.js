(function(use,load,meta,require){"use strict";const {a:d,b:a,d:f,e:y}=use("chunk-R4DLC7YJ.js");const {a:g}=use("chunk-DOMKZUX4.js");const {d:l}=use("chunk-SAQ7O7IP.js");
                                                                                                                                             var i=l(g(),1);function T(n,e){let t=a(n);return t!==void 0?p(t,e):new i.default.Agent({...u(e),connect:c(e)})}function b(n,e){let t=a(n);if(t!==void 0)return()=>p(t,e,1);let o={...u(e),connect:i.default.buildConnector(
c(e))};return()=>new i.default.Client(n,o)}function u({idleMs:n,maxFrameBytes:e}){return{...e!==void 0&&{webSocket:{maxPayloadSize:e}},...n!==void 0&&{keepAliveTimeout:n,keepAliveMaxTimeout:n},allowH2:!1,
pipelining:1}}function c({ca:n,connectTimeoutMs:e,signal:t}){return{timeout:e,allowH2:!1,...n!==void 0&&{ca:n},...t!==void 0&&{signal:t}}}function p(n,e,t){let{connectTimeoutMs:o}=e,{ca:s,...r}=e;return new i.default.
ProxyAgent({...u(e),...t!==void 0&&{connections:t},uri:n.address,...n.authorization!==void 0&&{token:n.authorization},requestTls:c(e),proxyTls:c(r),clientFactory:(h,m)=>w(n,new i.default.Pool(h,{...m,
headersTimeout:o}))})}function w(n,e){let t=e.connect.bind(e);return Object.assign(e,{async connect(o){let s=String(o.path);try{let r=await t(o);if(r.statusCode===200)return r;throw r.socket.on("error",
()=>{}).destroy(),f(n,s,r.statusCode)}catch(r){throw r instanceof d?r:y(n,s,r)}}})}                 

return{a:T,b:b}})