(function(use,load,meta,require){"use strict";const {a:g}=use("chunk-VBC7TATV.js");const {e:f,if:u,pf:x,ya:d}=use("chunk-KBEGXUNB.js");const {e:c,f:l}=use("chunk-SAQ7O7IP.js");
                                                                                                                                                       var w,y=()=>w??=require                 ("node:path"),k=t=>y()[t];var h=k("join");var v=300;function G(t,o,r){var p=[];try{let i=c(p,new DisposableStack);for(let n of r)for(let b of D(t,o,n)){let a=d(h(g(t),"accounts",x(b)),v);if(a===void 0)throw F(n);i.use(a)}return i.move()}catch(m){
var s=m,e=!0}finally{l(p,s,e)}}function D(t,o,r){let{environment:i,baseUrl:p,state:m}=o;return[...u(t,o).map(e=>JSON.stringify([e,r])),JSON.stringify([i,p,m,r])]}function F(t){return new f({code:"gate\
_in_charge",message:`Another gate is in charge of account ${t}, and two gates could allow twice the limits.`,hint:"Stop the other perp mcp --mandate or perp gate serve first, or serve all bots of the \
account with one gate."})}               

return{a:G}})