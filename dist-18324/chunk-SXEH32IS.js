(function(use,load,meta,require){"use strict";const {a:n}=use("chunk-XXKGL3XC.js");
                                        var p,i=()=>p??=require                 ("node:crypto");var s=(...t)=>i().randomBytes(...t);var a=(...t)=>i().hash(...t);function m(t,e="sim_"){return`${x(t,e)}${s(32).toString("base64url")}`}function x(t,e){let r=`${t}_`;return e===""||e.endsWith(r)?e===""?r:e:e.endsWith("_")?`${e}${r}`:`${e}_${r}`}function f(t){return a(
"sha256",t,"hex")}function d(t){let e=/^[A-Za-z0-9_-]{0,64}?(live|test)_/.exec(t)?.[1];return e==="live"||e==="test"?e:null}var o='Bearer realm="perp"';function g(t){let e=/^Bearer +([\x21-\x7e]{1,512})$/i.
exec(t)?.[1];if(e===void 0)throw c('The Authorization header is not "Bearer API_KEY".');return e}function c(t,e=`${o}, error="invalid_token"`){return new n("unauthorized",t,{headers:{"www-authenticate":e}})}
function h(){return c("This credential is not a command-line session. Only sessions can be revoked, and only on the live host.")}function v(){return c("A credential is required: Authorization: Bearer \
API_KEY.",o)}function H(t){return new n("wrong_environment",t,{headers:{"www-authenticate":`${o}, error="invalid_token"`}})}                                                                

return{a:m,b:f,c:d,d:g,e:c,f:h,g:v,h:H}})