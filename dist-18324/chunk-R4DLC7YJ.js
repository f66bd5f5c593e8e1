(function(use,load,meta,require){"use strict";const {Me:u,Oe:h}=use("chunk-AFUPYCZE.js");
                                                 var d=class extends Error{name="ProxyError";retryable;constructor(t,n){super(t),this.retryable=n}},l=["http_proxy","HTTP_PROXY","all_proxy","ALL_PROXY"],g={"https:":["https_proxy","HTTPS_PROXY","all_p\
roxy","ALL_PROXY","http_proxy","HTTP_PROXY"],"wss:":["https_proxy","HTTPS_PROXY","all_proxy","ALL_PROXY","http_proxy","HTTP_PROXY"],"http:":l,"ws:":l};function b(r,t=process.env){let{protocol:n,hostname:e,
port:o}=new URL(r),i=n==="https:"||n==="wss:";if(h(e)||P(e,Number(o||(i?443:80)),t))return;let s=g[n]?.find(a=>!!t[a]?.trim());return s===void 0?void 0:$(s,t[s].trim())}function P(r,t,{no_proxy:n,NO_PROXY:e}){
let o=f(r);return(n??e??"").split(/[,\s]+/).some(i=>{let[,p=i,s]=/^(\[.+\]|[^:]*):(\d+)$/.exec(i)??[],a=f(p.toLowerCase());if(a===""||s!==void 0&&Number(s)!==t)return!1;let c=a.replace(/^\*?\./,"");return a===
"*"||o.endsWith(`.${c}`)||o===c&&!a.startsWith("*")})}function f(r){return r.replace(/^\[|\]$/g,"").replace(/(?<=.)\.$/,"")}function $(r,t){let n=URL.parse(t.includes("://")?t:`http://${t}`);if(n===null||
n.hostname==="")throw new d(`${r} is not the address of a proxy: write it as http://host:port`,!1);let{protocol:e,username:o,password:i,host:p}=n;if(e!=="http:"&&e!=="https:")throw new d(`${r} names a\
 proxy with ${e}, but perp supports only http: and https:`,!1);let s=Buffer.from(`${y(o)}:${y(i)}`).toString("base64"),a=o===""&&i===""?void 0:`Basic ${s}`;return{variable:r,address:`${e}//${p}`,authorization:a}}
function y(r){try{return decodeURIComponent(r)}catch{return r}}function w({address:r,variable:t}){return`${r} (${t})`}function _(r,t,n){let{variable:e,authorization:o}=r,i=o===void 0?`it requires a us\
er and a password: add them to ${e}, as in http://user:password@host:port`:`it does not accept the user and password of ${e}`,p=n===407?i:n===403?"it does not allow this host":"it did not open the con\
nection",s=n>=500||n===408||n===429;return new d(`${x(r,t)}: ${p} (status ${n})`,s)}function R(r,t,n){let{reason:e,retryable:o}=u(n);return new d(`${x(r,t)}: ${e}`,o)}function x(r,t){return`no connect\
ion to ${t} through the proxy ${w(r)}`}                                      

return{a:d,b:b,c:w,d:_,e:R}})