for (const script of document.querySelectorAll("script[type='application/json'][data-part]")) {
  const data = JSON.parse(script.textContent), root = document.getElementById(script.dataset.for);
  nimwave[script.dataset.part](root, data);
}
