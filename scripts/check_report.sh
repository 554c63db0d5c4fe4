#!/usr/bin/env bash
# Looks at reports as a browser shows them: makes runs and evaluations with made-up numbers, writes their pages, and takes pictures of each, 1280
# and 390 pixels wide, light and dark, and a PDF as it would be printed. Fails where a page is wider than the screen, asks for anything from
# outside, or the browser complains. The pictures are for a person to look at.
#   scripts/check_report.sh [FOLDER]        default: build/report_pictures; needs the release build; installs Debian's chromium if there is none
set -euo pipefail
cd "$(dirname "$0")/.."
out=$(realpath -m "${1:-build/report_pictures}")
if ! command -v chromium > /dev/null; then
  $([ "$(id -u)" = 0 ] || echo sudo) apt-get install -y -q chromium > /dev/null
fi
ninja -C build/release make_report_files tritonrl > /dev/null
rm -rf "$out" && mkdir -p "$out"
tritonrl=$PWD/build/release/tritonrl
build/release/tests/make_report_files "$out/made"
cd "$out"
"$tritonrl" report made/runs/* --eval made/outputs/eval_{base,sft,rl}.json --title "Made-up numbers" --out all.html
"$tritonrl" report made/runs/grpo --out rl.html
"$tritonrl" report made/runs/sft --out sft.html
"$tritonrl" report --eval made/outputs/eval_{base,rl}.json --out eval.html
"$tritonrl" report made/hostile/run --eval made/hostile/eval_{a,b}.json --title "<script>alert(1)</script>" --out hostile.html

browser() {
  timeout 120 chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --force-device-scale-factor=1 --virtual-time-budget=5000 \
    --enable-logging=stderr "$@"
}
failed=0
for page in all rl sft eval hostile; do
  for width in 1280 390; do
    # the page in a frame of that width: a browser's own window is no narrower than 500 pixels
    cat > frame.html <<HTML
<body style="margin:0"><iframe id="page" src="$page.html" style="border:0;width:${width}px;height:100px"></iframe><script>
document.getElementById("page").onload = event => {
  const page = event.target.contentDocument.documentElement;
  event.target.style.height = page.scrollHeight + "px";
  document.title = page.scrollWidth + " " + page.scrollHeight + " " + performance.getEntriesByType("resource").length;
};
</script></body>
HTML
    read -r wide high asked < <(browser --allow-file-access-from-files --dump-dom "file://$out/frame.html" 2> "$page.log" |
      sed -n 's/.*<title>\([0-9 ]*\)<\/title>.*/\1/p')
    if [ "${wide:-0}" -gt "$width" ] || [ -z "${wide:-}" ]; then
      echo "$page at $width: is ${wide:-not} wide" >&2
      failed=1
    fi
    for mode in light dark; do
      scheme=$([ "$mode" = dark ] && echo 0 || echo 1)
      browser --allow-file-access-from-files --blink-settings=preferredColorScheme="$scheme" --window-size="$width,${high:-4000}" \
        --screenshot="${page}_${width}_$mode.png" "file://$out/frame.html" 2>> "$page.log"
    done
    echo "$page at $width: $wide wide, $high high"
  done
  browser --print-to-pdf="$page.pdf" --no-pdf-header-footer "file://$out/$page.html" 2>> "$page.log"
  if grep -E 'CONSOLE|ERR_' "$page.log"; then
    failed=1
  fi
done
rm frame.html
echo "pictures are in $out"
exit $failed
