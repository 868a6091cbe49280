import Foundation

/// A date as the new SDK writes it: ISO 8601 in whole seconds.
///
/// What that leaves out, fractions and years beyond 4000, is kept beside it as an ``ExactDate``.
struct ISODate: Codable {
    let date: Date

    init(_ date: Date) {
        self.date = date
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        do {
            date = try Date(text, strategy: .iso8601)
        } catch {
            date = try Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        guard date.timeIntervalSinceReferenceDate.isFinite else {
            throw EncodingError.invalidValue(date, .init(codingPath: [], debugDescription: "no number"))
        }
        try container.encode(min(max(date, .distantPast), .distantFuture).ISO8601Format())
    }
}

/// A date as seconds since 2001, with every bit.
struct ExactDate: Codable {
    let date: Date

    init(_ date: Date) {
        self.date = date
    }

    init(from decoder: any Decoder) throws {
        let seconds = try decoder.singleValueContainer().decode(Double.self)
        date = Date(timeIntervalSinceReferenceDate: seconds)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(date.timeIntervalSinceReferenceDate)
    }
}
