/// An error of the legacy API: a number, a domain and a sentence.
public protocol FRError: Error {
    /// The number that call sites compare; a contract, see the table of the legacy API's errors.
    var code: Int { get }
    /// The domain of the number.
    static var domain: String { get }
}
