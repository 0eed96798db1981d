/// The page's only script: shows the values under the pointer at once, also on a touch screen.
///
/// Without it every place still has its SVG title, which browsers show after a while.
enum PageScript {
    static let text = """
        (() => {
          const tip = document.getElementById('tip');
          let shown = null;
          const words = place => {
            const title = place.querySelector('title');
            if (title) { place.dataset.tip = title.textContent; title.remove(); }
            return place.dataset.tip;
          };
          const move = event => {
            const place = event.target.closest ? event.target.closest('.hit') : null;
            if (place !== shown) {
              shown = place;
              tip.hidden = !place;
              if (place) tip.textContent = words(place);
            }
            if (!place) return;
            const box = tip.getBoundingClientRect(), gap = 14;
            const x = event.clientX + gap + box.width > innerWidth ? event.clientX - gap - box.width : event.clientX + gap;
            tip.style.left = Math.max(4, x) + 'px';
            tip.style.top = Math.max(4, Math.min(event.clientY + gap, innerHeight - box.height - 4)) + 'px';
          };
          addEventListener('pointermove', move);
          addEventListener('pointerdown', move);
        })();
        """
}
