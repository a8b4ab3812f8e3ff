//! A picture as a grid of pixels, and its PNG file.

use base64::Engine;

use super::style::Rgb;

/// Pixels, row by row from the top; `None` is transparent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Raster {
    /// Pixels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// The pixels.
    pub pixels: Vec<Option<Rgb>>,
}

impl Raster {
    /// A transparent picture.
    pub fn new(width: usize, height: usize) -> Self {
        Self { width, height, pixels: vec![None; width * height] }
    }

    /// The PNG file of the picture.
    pub fn png(&self) -> Vec<u8> {
        let bytes: Vec<u8> = self
            .pixels
            .iter()
            .flat_map(|pixel| pixel.map_or([255, 255, 255, 0], |[r, g, b]| [r, g, b, 255]))
            .collect();
        encode(self.width, self.height, png::ColorType::Rgba, &bytes)
    }
}

/// The PNG file of an opaque picture of three bytes a pixel.
pub fn png_of_rgb(width: usize, height: usize, rgb: &[u8]) -> Vec<u8> {
    // Charts have few colours; with at most 256 a byte a pixel does, and the file is a third.
    let mut palette: Vec<Rgb> = Vec::new();
    let mut numbers = std::collections::HashMap::new();
    let mut indexed = Vec::with_capacity(rgb.len() / 3);
    for pixel in rgb.as_chunks::<3>().0 {
        let number = *numbers.entry(*pixel).or_insert_with(|| {
            palette.push(*pixel);
            palette.len() - 1
        });
        if number > 255 {
            return encode(width, height, png::ColorType::Rgb, rgb);
        }
        indexed.push(number as u8);
    }
    let mut file = Vec::new();
    let mut encoder = encoder(&mut file, width, height, png::ColorType::Indexed);
    encoder.set_palette(palette.concat());
    finish(encoder, &indexed);
    file
}

fn encode(width: usize, height: usize, colour: png::ColorType, bytes: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    finish(encoder(&mut file, width, height, colour), bytes);
    file
}

fn encoder(
    file: &mut Vec<u8>,
    width: usize,
    height: usize,
    colour: png::ColorType,
) -> png::Encoder<'_, &mut Vec<u8>> {
    let mut encoder = png::Encoder::new(file, width as u32, height as u32);
    encoder.set_color(colour);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Balanced);
    encoder
}

fn finish(encoder: png::Encoder<'_, &mut Vec<u8>>, bytes: &[u8]) {
    // The sizes fit by construction and memory takes every write.
    encoder
        .write_header()
        .and_then(|mut writer| writer.write_image_data(bytes))
        .expect("a picture in memory can be encoded");
}

/// A PNG file as a `data:` address, for pages and SVG files that hold their pictures.
pub fn data_address(png: &[u8]) -> String {
    format!("data:image/png;base64,{}", base64::engine::general_purpose::STANDARD.encode(png))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(file: &[u8]) -> (png::ColorType, Vec<u8>) {
        let mut decoder = png::Decoder::new(std::io::Cursor::new(file));
        decoder.set_transformations(png::Transformations::EXPAND);
        let mut reader = decoder.read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        bytes.truncate(info.buffer_size());
        (reader.info().color_type, bytes)
    }

    #[test]
    fn few_colours_make_an_indexed_file_and_many_do_not() {
        let few: Vec<u8> = (0..300).map(|i| (i % 7) as u8).collect();
        let (colour, bytes) = decode(&png_of_rgb(10, 10, &few));
        assert_eq!((colour, bytes), (png::ColorType::Indexed, few));
        let many: Vec<u8> = (0..3 * 1024u32).map(|i| (i * 7 / 3) as u8 ^ (i / 256) as u8).collect();
        assert_eq!(decode(&png_of_rgb(32, 32, &many)).1, many);
    }

    #[test]
    fn no_pixel_is_transparent() {
        let mut raster = Raster::new(2, 1);
        raster.pixels[1] = Some([1, 2, 3]);
        assert_eq!(decode(&raster.png()).1, [255, 255, 255, 0, 1, 2, 3, 255]);
        assert!(data_address(&raster.png()).starts_with("data:image/png;base64,iVBORw0KGgo"));
    }
}
