package import Histogram

/// A histogram in a record: as `SparseHistogram` encodes it, but a damaged one is reported with the field that holds it.
package struct RecordedHistogram: Sendable, Equatable, Codable {
    package var values: SparseHistogram

    package init(_ values: SparseHistogram) {
        self.values = values
    }

    package init(_ histogram: Histogram) {
        values = SparseHistogram(histogram)
    }

    package init(from decoder: any Decoder) throws {
        do {
            values = try SparseHistogram(from: decoder)
        } catch let error as HistogramError {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: error.description)
            )
        }
    }

    package func encode(to encoder: any Encoder) throws {
        try values.encode(to: encoder)
    }
}
