import Foundation

/// A date as ISO 8601 text, with or without a fraction of a second.
struct ISODate: Codable {
    let date: Date

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let date = Self.date(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "Not an ISO 8601 date.")
        }
        self.date = date
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(date.formatted(Self.exact))
    }

    private static let exact = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    private static func date(_ text: String) -> Date? {
        for style in [Date.ISO8601FormatStyle(), exact] {
            do {
                return try style.parse(text)
            } catch {
                continue
            }
        }
        return nil
    }
}
