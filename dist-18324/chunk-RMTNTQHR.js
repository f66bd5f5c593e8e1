(function(use,load,meta,require){"use strict";const {K:i,Ua:o}=use("chunk-AFUPYCZE.js");
                                                var f=new Set(["name","client_order_id","message","reason","reject_message","note","tags","tag"]),a=new Set(["environment","mandate","account","account_id","id","position_id","order","market_id","symb\
ol","side","status","stage","type","mode","margin_mode","category","code","rule_id","reject_rule_id","at","by"]),d=/^[\w.:|-]{0,48}$/,g=4,c=class{#t=new Set;learn(t,n=""){if(typeof t=="string")(f.has(
n)||!d.test(t))&&t.length>=g&&this.#t.add(i(t));else if(Array.isArray(t))for(let e of t)this.learn(e,n);else if(o(t))for(let[e,r]of Object.entries(t))this.learn(r,e)}sealed(t,n=""){return typeof t=="s\
tring"?a.has(n)&&d.test(t)?t:this.#e(t):Array.isArray(t)?t.map(e=>this.sealed(e,n)):o(t)?u(t)?{outside_text:i(t.outside_text)}:Object.fromEntries(Object.entries(t).map(([e,r])=>[i(e),this.sealed(r,e)])):
t}#e(t){let n=i(t);for(let e of this.#t)if(n.includes(e))return{outside_text:n};return n}};function y(s){return typeof s=="string"?{outside_text:s}:s}function u(s){return typeof s.outside_text=="strin\
g"&&Object.keys(s).length===1}                      

return{a:c,b:y}})