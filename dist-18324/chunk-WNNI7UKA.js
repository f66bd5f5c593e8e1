(function(use,load,meta,require){"use strict";const {Q:e,g:s}=use("chunk-AFUPYCZE.js");
                                               function f(i){let n=[],t=i.trimStart();for(;t!==""&&!t.startsWith("#");){let r=a.exec(t)[0];n.push(l(r,i)),t=t.slice(r.length).trimStart()}return n}var a=/^(?:[^\s'"\\]|\\.|\\$|'[^']*(?:'|$)|"(?:[^"\\]|\\.|\\$)*(?:"|$))+/s,
h=/\\(.?)|'([^']*)('?)|"((?:[^"\\]|\\.)*)("?)/gs;function l(i,n){return i.replace(h,(t,r,o,g,u,c)=>{if(r!==void 0&&t.startsWith("\\")){if(r==="")throw s("A command can't continue on the next line, but\
 this line ends with a backslash.",e(n.trim()));return r}if(g===""||c==="")throw s(`Unclosed quote: ${e(n.trim())}`);return o??u.replace(/\\(["\\])/g,"$1")})}               

return{a:f}})