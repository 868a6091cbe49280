package import Foundation

/// A date as it is encoded in a stored value.
///
/// In JSON, a date is ISO 8601 text in whole seconds, as the successor SDK writes it. This package's own
/// coders encode ``exact`` instead, without loss.
package struct StoredDate: Codable {
    package let exact: Date

    package init(_ date: Date) {
        exact = date
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text: String
        do {
            text = try container.decode(String.self)
        } catch DecodingError.typeMismatch {
            // Apps that encode the successor SDK's values with their own encoder may store dates as numbers.
            exact = try container.decode(Date.self)
            return
        }
        // An app's own encoder may write dates as text in a different format.
        exact = try Date(storedText: text) ?? container.decode(Date.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        guard exact.timeIntervalSinceReferenceDate.isFinite else {
            throw EncodingError.invalidValue(
                exact,
                .init(codingPath: [], debugDescription: "The date is not finite.")
            )
        }
        try container.encode(min(max(exact, .distantPast), .distantFuture).ISO8601Format())
    }

    /// The seconds since 2001; `nil` if ISO 8601 text in whole seconds expresses the date exactly.
    var remainder: Double? {
        let seconds = exact.timeIntervalSinceReferenceDate
        let isWhole = seconds == seconds.rounded(.down) && exact >= .distantPast && exact <= .distantFuture
        return isWhole ? nil : seconds
    }

    /// Returns the date; it is exact if ``remainder`` was also stored.
    func date(with remainder: Double?) -> Date {
        remainder.map(Date.init(timeIntervalSinceReferenceDate:)) ?? exact
    }
}

extension Date {
    /// Parses ISO 8601 text with or without a fraction of a second; `nil` for any other text.
    package init?(storedText text: String) {
        for style in [Self.ISO8601FormatStyle(), Self.ISO8601FormatStyle(includingFractionalSeconds: true)] {
            do {
                self = try style.parse(text)
                return
            } catch {
                continue
            }
        }
        return nil
    }
}

extension Encoder {
    /// Whether the encoder writes a store's own form.
    ///
    /// This form contains exact dates and secrets; the store seals it.
    var isStoresOwn: Bool { CodingUserInfoKey.isStoresOwn.map { userInfo[$0] != nil } ?? false }
}

extension Decoder {
    /// Whether the decoder reads a store's own form.
    var isStoresOwn: Bool { CodingUserInfoKey.isStoresOwn.map { userInfo[$0] != nil } ?? false }
}

extension CodingUserInfoKey {
    /// The key of the flag that the coders of a store's own form set.
    package static let isStoresOwn = CodingUserInfoKey(rawValue: "isStoresOwn")
}

/// JSON of any shape as a member of a stored form.
///
/// In JSON, the value is encoded as it is. This package's own coders, which have no member names, encode the
/// text of the value.
struct JSONMember: Codable {
    let value: JSONValue

    init(_ value: JSONValue) {
        self.value = value
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard decoder.isStoresOwn else {
            value = try container.decode(JSONValue.self)
            return
        }
        guard let value = JSONValue(json: Data(try container.decode(String.self).utf8)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "The text is not JSON.")
        }
        self.value = value
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if encoder.isStoresOwn { try container.encode(value.text) } else { try container.encode(value) }
    }
}
