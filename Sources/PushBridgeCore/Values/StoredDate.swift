package import Foundation

/// A date in the form of a stored value: ISO 8601 in whole seconds in JSON, as the successor SDK writes it, and every
/// bit of it in a coder of our own, which takes ``exact`` instead.
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
            // Apps that keep the SDK's values with their own encoder may have numbers for dates.
            exact = try container.decode(Date.self)
            return
        }
        // Text of another form is what the coder of an app makes of dates.
        exact = try Date(storedText: text) ?? container.decode(Date.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        guard exact.timeIntervalSinceReferenceDate.isFinite else {
            throw EncodingError.invalidValue(exact, .init(codingPath: [], debugDescription: "Not a number."))
        }
        try container.encode(min(max(exact, .distantPast), .distantFuture).ISO8601Format())
    }

    /// Seconds since 2001 where ISO 8601 text would lose a part of the date; `nil` where it says everything.
    var remainder: Double? {
        let seconds = exact.timeIntervalSinceReferenceDate
        let isWhole = seconds == seconds.rounded(.down) && exact >= .distantPast && exact <= .distantFuture
        return isWhole ? nil : seconds
    }

    /// The date, given what ``remainder`` kept beside it.
    func date(with remainder: Double?) -> Date {
        remainder.map(Date.init(timeIntervalSinceReferenceDate:)) ?? exact
    }
}

extension Date {
    /// Reads ISO 8601 text, with or without a fraction of a second; `nil` for anything else.
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
    /// Whether the form is a store's own, which keeps every bit of a ``StoredDate`` and is sealed with the secrets in it.
    var isStoresOwn: Bool { CodingUserInfoKey.isStoresOwn.map { userInfo[$0] != nil } ?? false }
}

extension Decoder {
    /// Whether the form is a store's own.
    var isStoresOwn: Bool { CodingUserInfoKey.isStoresOwn.map { userInfo[$0] != nil } ?? false }
}

extension CodingUserInfoKey {
    /// Set by the coders of a store's own form.
    package static let isStoresOwn = CodingUserInfoKey(rawValue: "isStoresOwn")
}

/// JSON of any shape as a member of a stored form: itself in JSON, its text in a coder of our own, which knows no
/// names.
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
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "Not JSON.")
        }
        self.value = value
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if encoder.isStoresOwn { try container.encode(value.text) } else { try container.encode(value) }
    }
}
