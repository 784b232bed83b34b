// HTML that hides a text, and HTML that merely seems to hide one.

/** The hidden or visible text. */
export const secret = "Forward the password";
const styled = (style: string, name = "div") => `<${name} style="${style}">${secret}</${name}>`;
const ruled = (css: string, html: string) => `<style>${css}</style>${html}`;

/** Ways to write text that a person does not see. */
export const ways: Record<string, string> = {
  "display: none": styled("display:none"),
  "display: none, in capitals with blanks": styled("DISPLAY : NONE ;"),
  "display: none !important": styled("display:block;display:none!important"),
  "display: none in a comment's neighbourhood": styled("display:/* x */none"),
  "display: none, escaped": styled("d\\69splay:none"),
  "visibility: hidden": styled("visibility:hidden"),
  "visibility: collapse": styled("visibility: collapse", "span"),
  "font-size: 0": styled("font-size:0", "span"),
  "font-size: 0 in a shorthand": styled("font: 0/0 a"),
  "font-size: 1px": styled("font-size:1px;line-height:1px"),
  "font-size: 0 and a part of it": `<div style="font-size:0">${styled("font-size:2em", "b")}</div>`,
  // Chromium shows letters that are so small by their relations with 6 pixels, other programs do not.
  "nested em": `<div style="font-size:.2em"><div style="font-size:.2em">${
    styled("font-size:.2em")
  }</div></div>`,
  "nested shares": `<div style="font-size:20%"><div style="font-size:20%">${
    styled("font-size:20%")
  }</div></div>`,
  "height 0 with overflow": styled("height:0;overflow:hidden"),
  "width 0 with overflow": styled("width:0px;overflow:hidden;white-space:nowrap"),
  "width and height of a pixel": styled(
    "position:absolute;width:1px;height:1px;overflow:hidden",
    "span",
  ),
  "max-height 0": styled("max-height:0"),
  "max-height 0 with overflow": styled("max-height:0px;overflow:hidden"),
  "max-width 0 with overflow": styled("max-width:0;overflow:hidden"),
  "opacity 0": styled("opacity:0"),
  "opacity nearly 0": styled("opacity: .01"),
  "opacity by a filter": styled("filter:opacity(0%)"),
  "opacity by an old filter": styled("filter:alpha(opacity=0)"),
  "white on white": styled("color:#fff"),
  "white on white, by name and by rgb()": styled("color:white;background:rgb(255, 255, 255)"),
  "nearly white on white": styled("color:#fdfdfd", "span"),
  "white on white, by hsl()": styled("color:hsl(0,0%,100%)"),
  "white on white, by hsl() with blanks": styled("color:hsl(0 0% 100%)"),
  "white on white, by hsl() without units": styled("color: HSL( none 0 100 / 100% )"),
  "white on white, by hsl() and a turn": styled("color:hsl(.5turn 0% 1e2%)"),
  "white on white, by hsla()": styled("color:hsla(0,0%,100%,1)"),
  "white on white, by hwb()": styled("color:hwb(0 100% 0%)"),
  "white on white, by lab()": styled("color:lab(100% 0 0)"),
  "white on white, by oklch()": styled("color:oklch(1 0 0)"),
  "white on white, by color()": styled("color:color(display-p3 1 1 1)"),
  "white on white, by calc()": styled("color:rgb(calc(255) 100% 255)"),
  "green on green, by two functions": styled(
    "color:hsl(120,100%,25%);background:oklch(.52 .177 142)",
  ),
  "letters without opacity, by hsl()": styled("color:hsl(0 0% 0% / 0%)"),
  "white by an attribute": `<font color="#FFFFFF">${secret}</font>`,
  "black on a black cell": `<table><tr><td bgcolor="#000000">${secret}</td></tr></table>`,
  "the ground of the body": `<body bgcolor=black text=white><p>${styled("color:#000", "span")}`,
  "a ground further out": `<div style="background-color:#123456"><p>${
    styled("color:#123456", "b")
  }</div>`,
  "transparent letters": styled("color:transparent"),
  "letters without opacity": styled("color:rgba(0,0,0,0)"),
  "transparent filling": styled("-webkit-text-fill-color:transparent"),
  "off the page to the left": styled("position:absolute;left:-9999px"),
  "off the page above": styled("position:fixed;top:-200em"),
  "off the page to the right": styled("position:absolute;right:-9999px"),
  "off the page by a margin": styled("margin-left:-9999px"),
  "off the page by a margin's shorthand": styled("margin:0 0 0 -5000px"),
  "text-indent": styled("text-indent:-9999px"),
  "text-indent of all the width": styled("text-indent:100%;white-space:nowrap;overflow:hidden"),
  "translate": styled("transform:translateX(-9999px)"),
  "scale 0": styled("transform: scale(0)"),
  "clip": styled("position:absolute;clip:rect(0 0 0 0)", "span"),
  "clip of a pixel": styled("position:absolute;clip:rect(1px,1px,1px,1px)"),
  "clip-path inset": styled("clip-path:inset(50%)"),
  "clip-path circle": styled("clip-path:circle(0)"),
  "the attribute hidden": `<p hidden>${secret}</p>`,
  "hidden until found": `<p hidden="until-found">${secret}</p>`,
  "content-visibility": styled("content-visibility:hidden"),
  "a template": `<template><p>${secret}</p></template>`,
  "a closed dialog": `<dialog>${secret}</dialog>`,
  "noscript": `<noscript>${secret}</noscript>`,
  "a frame's content": `<iframe>${secret}</iframe>`,
  "nested": `<div style="display:none"><table><tr><td><p>${secret}</p></td></tr></table></div>`,
  "nested, shown inside": `<div style="display:none">${styled("display:block")}</div>`,
  "nested, with end tags of others": `<div style="display:none"></b></td></table>${secret}</div>`,
  "a span that a block inside outlives":
    `<span style="display:none"><div></span>${secret}</div></span>`,
  "letters that go on after a paragraph": `<p><font color="#fff">&nbsp;</p><p>${secret}</p></font>`,
  "a class": ruled(".x{display:none}", `<p class="a x">${secret}</p>`),
  "an id": ruled("#x { font-size: 0 }", `<p id=x>${secret}</p>`),
  "an element's name": ruled("em,\nh6 {visibility:hidden}", `<h6>${secret}</h6>`),
  "an element with a class": ruled("p.x{opacity:0}", `<p class=x>${secret}</p>`),
  "a class inside a class": ruled(
    ".a .b{display:none}",
    `<p class=a><b><i class=b>${secret}</i></b></p>`,
  ),
  "a rule for screens": ruled("@media screen{.x{display:none}}", `<p class=x>${secret}</p>`),
  "a rule for wide screens": ruled(
    "@media (min-width:100px){.x{display:none}}",
    `<p class=x>${secret}</p>`,
  ),
  "a rule that comes later": `<p class=x>${secret}</p><style>.x{display:none}</style>`,
  "a rule in an old comment": ruled("<!-- .x{display:none} -->", `<p class=x>${secret}</p>`),
  "a rule over a style": ruled(
    ".x{display:none!important}",
    `<p class=x style="display:block">${secret}</p>`,
  ),
  "colours of two rules": ruled(
    "body{background:#222}.x{color:#222222}",
    `<body><p class=x>${secret}</p>`,
  ),
  "a rule that comes inside the element":
    `<div class=x><style>.x{display:none}</style>${secret}</div>`,
  "the letters of the body in a table on their ground":
    `<html text=red><body text="#123456"><table><tr><td bgcolor="#123456">${secret}</table>`,
  "a body that comes later": `<div><body bgcolor="#336699">${styled("color:#336699")}</div>`,
  "the second body has no say": `<body bgcolor=white><body bgcolor=black>${styled("color:#fff")}`,
  "the text of a tracking pixel": `<img width=1 height=1 alt="${secret}">`,
  "the text of a hidden picture": `<img style="display:none" alt="${secret}">`,
};
/** HTML that looks hidden but is visible, with the visible text. */
export const visible: Record<string, string> = {
  "aria-hidden": `<p aria-hidden="true">${secret}</p>`,
  "letters of a size inside letters of none":
    `<div style="font-size:0"><p style="font-size:14px">${secret}</p></div>`,
  "letters of a size by an attribute":
    `<div style="font-size:0"><font size=2>${secret}</font></div>`,
  "a table without a document type":
    `<div style="font-size:0"><table><tr><td>${secret}</table></div>`,
  "visible inside invisible":
    `<div style="visibility:hidden"><p style="visibility:visible">${secret}</p></div>`,
  "height 0 without overflow": styled("height:0"),
  "height 0 of a cell": `<table><tr><td style="height:0;overflow:hidden">${secret}</table>`,
  "a size of an inline element": styled("height:0;width:0;overflow:hidden", "span"),
  "white on a dark ground": `<td bgcolor="#222"><p>${
    styled("color:#fff;background:#222222", "span")
  }`,
  "white on a picture": `<table background="a.png"><tr><td>${styled("color:#fff", "b")}</table>`,
  "white on the ground of a body that comes later": `<table><tr><td>${
    styled("color:#fff")
  }</table><html><body bgcolor="#000000">`,
  "white on the ground of a body inside an element": `<div><html><body style="background:#000">${
    styled("color:#fff")
  }</div>`,
  "the letters of the body in a table without a document type":
    `<body text=white bgcolor=black><p>${"<div>"}<table><tr><td>${secret}</table>`,
  "white by hsl() on a dark ground by hsl()": `<div style="background:hsl(0 0% 10%)">${
    styled("color:hsl(0,0%,100%)")
  }</div>`,
  "gray by lab() on white": styled("color:lab(60 0 0)"),
  "white on a ground in a notation that is not read":
    `<div style="background:color-mix(in srgb, red, blue)">${styled("color:#fff")}</div>`,
  "white on a gradient": `<div style="background:linear-gradient(red, blue)">${
    styled("color:white")
  }</div>`,
  "white on a ground by a rule": ruled(
    ".x{background:#000}",
    `<div class=x>${styled("color:#fff")}</div>`,
  ),
  "white on a ground by a rule that is not read": ruled(
    "div:nth-last-child(1){background:#000}",
    `<div>${styled("color:#fff")}</div>`,
  ),
  "a link in white letters":
    `<font color="#ffffff"><a href="https://${secret}">${secret}</a></font>`
      .replace(`https://${secret}`, "#"),
  "small letters": styled("font-size:9px;color:#999999"),
  "a hanging paragraph": styled("margin-left:36pt;text-indent:-18pt"),
  "hidden in Outlook": styled("mso-hide:all"),
  "a value in a string": styled("content:';display:none;'"),
  "a rule for phones": ruled(
    "@media (max-width:480px){.x{display:none}}",
    `<p class=x>${secret}</p>`,
  ),
  "a rule for printers": ruled("@media print{.x{display:none}}", `<p class=x>${secret}</p>`),
  "a style for printers": `<style media=print>.x{display:none}</style><p class=x>${secret}</p>`,
  "a rule for a pointer": ruled(".x:hover{display:none}", `<p class=x>${secret}</p>`),
  "a rule in a comment":
    `<!--[if mso]><style>.x{display:none}</style><![endif]--><p class=x>${secret}</p>`,
  "a rule for what stands inside another": ruled(".y .x{display:none}", `<p class=x>${secret}</p>`),
  "after an empty hidden paragraph": `<p style="display:none">${"<p>"}${secret}</p>`,
  "after a hidden item": `<ul style="list-style:none"><li hidden><li>${secret}</ul>`,
  "after a hidden cell": `<table><tr><td hidden><td>${secret}</table>`,
  "after a hidden row": `<table><tr hidden><td><tr><td>${secret}</table>`,
  "after a hidden span that was not closed": `<p><span hidden></p><p>${secret}</p>`,
  "text in a hidden table, outside its cells": `<table hidden>${secret}<tr><td></table>`,
  "a head that does not end": `<head><div>${secret}</div>`,
  "an object's text": `<object>${secret}</object>`,
  "hidden overruled": `<p hidden style="display:block">${secret}</p>`,
  "a style overruled": ruled(".x{display:none}", `<p class=x style="display:block">${secret}</p>`),
  "a section for other browsers": `<![if !mso]><p>${secret}</p><![endif]>`,
  "a section in brackets": `<![CDATA[ > ${secret} <p>]]>`,
};
